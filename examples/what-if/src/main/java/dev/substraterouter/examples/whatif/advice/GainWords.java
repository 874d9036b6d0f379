package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.examples.whatif.advice.Judge.Gain;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the router gains over simpler ways to place, and what it takes for it. */
final class GainWords {
    private final Results results;
    private final Study study;
    private final Judge judge;
    private final double load;

    GainWords(Results results, Study study, Judge judge) {
        this.results = results;
        this.study = study;
        this.judge = judge;
        this.load = results.baseLoad();
    }

    String headline() {
        Verdict verdict = judge.at(load);
        String at = " at " + Figures.load(load, results.requestsPerHour(load));
        if (study.pin().isEmpty()) {
            return "The policy names one machine or a need for each workload. Observed" + at + ": "
                    + amount(study.router(), Measure.PENALISED_LATENCY) + " penalised latency.";
        }
        String winner = verdict == Verdict.MATCHING ? study.matching().orElseThrow() : study.router();
        return "Observed" + at + ": "
                + observed(winner, study.pin().get()) + ", over " + results.seeds()
                + (results.seeds() == 1 ? " seed." : " seeds.");
    }

    List<String> byHowMuch() {
        List<String> sentences = new ArrayList<>();
        study.pin().ifPresent(pin -> {
            sentences.add("Observed: " + observed(study.router(), pin) + ".");
            study.matching().ifPresent(matching -> sentences.add("Observed: " + observed(matching, pin) + "."));
        });
        study.matching().ifPresent(matching -> sentences.add("Observed: " + observed(study.router(), matching) + "."));
        return sentences;
    }

    /** Whose owner is disturbed, and how much more than by the pin. */
    List<String> atWhoseCost() {
        List<String> sentences = new ArrayList<>();
        Map<String, Estimate> byNode = results.ownerSeconds(study.router(), load);
        byNode.forEach((node, seconds) -> {
            if (seconds.mean() > 0) {
                sentences.add("Under " + study.router() + " the owner of " + node
                        + " was observed to share it with routed work for "
                        + Figures.amount(seconds, Measure.OWNER_SECONDS) + pinnedTime(node) + ".");
            }
        });
        if (sentences.isEmpty()) {
            return List.of("No owner was observed to be disturbed under " + study.router() + ".");
        }
        study.pin()
                .ifPresent(pin -> sentences.add("In sum that was observed to be "
                        + compared(study.router(), pin, Measure.OWNER_SECONDS) + "."));
        return sentences;
    }

    private String pinnedTime(String node) {
        Optional<Estimate> pinned =
                study.pin().map(pin -> results.ownerSeconds(pin, load).get(node));
        return pinned.map(time ->
                        ", under " + study.pin().orElseThrow() + " for " + Figures.amount(time, Measure.OWNER_SECONDS))
                .orElse("");
    }

    /** The other measures that differ from the pin's by more than chance. */
    List<String> whatElse() {
        List<String> sentences = new ArrayList<>();
        study.pin().ifPresent(pin -> {
            for (Measure measure : Measure.values()) {
                Estimate more = results.difference(study.router(), pin, load, measure);
                boolean told = measure == Measure.PENALISED_LATENCY || measure == Measure.OWNER_SECONDS;
                if (!told && (more.above0() || more.below0())) {
                    sentences.add((more.above0() == measure.moreIsBetter() ? "Better" : "Worse") + ", observed: "
                            + measure.title() + " " + compared(study.router(), pin, measure) + ".");
                }
            }
        });
        return sentences;
    }

    /** For example: router with 12.3 ± 2.1 s (29 %) less penalised latency. */
    private String observed(String entrant, String than) {
        Gain gain = judge.gain(entrant, than, load);
        String less = gain.saved().mean() < 0 ? "more" : "less";
        return entrant + " with " + Figures.amount(gain.saved(), Measure.PENALISED_LATENCY) + " ("
                + Figures.percent(Math.abs(gain.share())) + ") " + less + " penalised latency than " + than
                + weight(gain);
    }

    private String weight(Gain gain) {
        if (judge.counts(gain) || gain.saved().below0()) {
            return "";
        }
        return gain.saved().above0()
                ? ", below the threshold of " + Figures.setting(100 * judge.threshold()) + " %"
                : ", which is within the confidence interval of no difference";
    }

    private String compared(String entrant, String than, Measure measure) {
        Estimate more = results.difference(entrant, than, load, measure);
        return Figures.amount(more, measure) + (more.mean() < 0 ? " less than under " : " more than under ") + than
                + " ("
                + Figures.number(results.mean(entrant, load, measure).mean()) + " against "
                + Figures.number(results.mean(than, load, measure).mean()) + ")";
    }

    private String amount(String entrant, Measure measure) {
        return Figures.amount(results.mean(entrant, load, measure), measure);
    }
}
