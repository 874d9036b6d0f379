package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.examples.whatif.advice.Judge.Gain;
import dev.substraterouter.examples.whatif.advice.Study.Contrast;
import dev.substraterouter.examples.whatif.advice.Study.Setting;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Which features and settings the gain goes with, and at which loads the answer is which. */
final class SettingWords {
    private final Results results;
    private final Study study;
    private final Judge judge;
    private final double load;

    SettingWords(Results results, Study study, Judge judge) {
        this.results = results;
        this.study = study;
        this.judge = judge;
        this.load = results.baseLoad();
    }

    /** The features, the one with the largest gain first. */
    List<String> features() {
        List<Contrast> sorted = study.features().stream()
                .sorted(Comparator.comparingDouble(
                        (Contrast one) -> -gain(one).saved().mean()))
                .toList();
        List<String> sentences = new ArrayList<>();
        sorted.stream()
                .filter(one -> judge.counts(gain(one)))
                .findFirst()
                .ifPresent(best -> sentences.add("The largest gain was observed with " + best.feature() + "."));
        sorted.forEach(one -> sentences.add(feature(one)));
        return sentences;
    }

    private Gain gain(Contrast contrast) {
        return judge.gain(contrast.with(), contrast.without(), load);
    }

    private String feature(Contrast contrast) {
        Gain gain = gain(contrast);
        String with = "With " + contrast.feature() + ": ";
        if (!gain.saved().above0() && !gain.saved().below0()) {
            return with + "no difference in penalised latency observed (" + signed(gain.saved()) + ").";
        }
        return with + Figures.amount(gain.saved(), Measure.PENALISED_LATENCY) + " ("
                + Figures.percent(Math.abs(gain.share())) + ") "
                + (gain.saved().above0() ? "less" : "more") + " penalised latency observed.";
    }

    private static String signed(Estimate saved) {
        return (saved.mean() > 0 ? "-" : "+") + Figures.amount(saved, Measure.PENALISED_LATENCY);
    }

    List<String> settings() {
        List<String> sentences = new ArrayList<>();
        sweep(sentences, "queue capacity", study.capacities());
        sweep(sentences, "finish margin", study.margins());
        return sentences;
    }

    /** The lowest value that was not observed to be worse than the best one. */
    private void sweep(List<String> sentences, String setting, List<Setting> values) {
        if (values.size() < 2 || results.seeds() < 2) {
            return;
        }
        Setting best =
                values.stream().min(Comparator.comparingDouble(this::penalised)).orElseThrow();
        Setting lowest = values.stream()
                .filter(one -> one.equals(best) || !clearlyWorse(one, best))
                .min(Comparator.comparingDouble(Setting::value))
                .orElseThrow();
        StringBuilder sentence = new StringBuilder("A " + setting + " of " + Figures.setting(lowest.value())
                + " suits: with it " + Figures.number(penalised(lowest)) + " s penalised latency was observed");
        if (!lowest.equals(best)) {
            sentence.append(", not distinguishable from the least, ")
                    .append(Figures.number(penalised(best)))
                    .append(" s with ")
                    .append(Figures.setting(best.value()));
        }
        values.stream()
                .filter(Setting::current)
                .findFirst()
                .ifPresent(current ->
                        sentence.append(current.equals(lowest) ? ". It is the policy's own" : own(current, lowest)));
        sentences.add(sentence.append(". Observed: ")
                .append(table(values))
                .append(".")
                .toString());
    }

    private String own(Setting current, Setting chosen) {
        Estimate more = results.difference(current.entrant(), chosen.entrant(), load, Measure.PENALISED_LATENCY);
        return ". With the policy's own " + Figures.setting(current.value()) + " it was observed to be "
                + Figures.amount(more, Measure.PENALISED_LATENCY) + (more.mean() < 0 ? " less" : " more");
    }

    private String table(List<Setting> values) {
        return String.join(
                ", ",
                values.stream()
                        .map(one -> Figures.setting(one.value()) + ": "
                                + Figures.amount(
                                        results.mean(one.entrant(), load, Measure.PENALISED_LATENCY),
                                        Measure.PENALISED_LATENCY))
                        .toList());
    }

    private boolean clearlyWorse(Setting one, Setting best) {
        return results.difference(one.entrant(), best.entrant(), load, Measure.PENALISED_LATENCY)
                .above0();
    }

    private double penalised(Setting setting) {
        return results.mean(setting.entrant(), load, Measure.PENALISED_LATENCY).mean();
    }

    /** Where the answer changes as the load grows. */
    List<String> loads() {
        if (results.loads().size() < 2) {
            return List.of();
        }
        List<String> sentences = new ArrayList<>();
        double first = results.loads().get(0);
        Verdict before = judge.at(first);
        sentences.add("At " + traffic(first) + " the answer observed is: " + before.words() + saving(first) + ".");
        for (double at : results.loads().subList(1, results.loads().size())) {
            Verdict verdict = judge.at(at);
            if (verdict != before) {
                sentences.add(
                        "From " + traffic(at) + " on it was observed to be: " + verdict.words() + saving(at) + ".");
            }
            before = verdict;
        }
        if (sentences.size() == 1) {
            double last = results.loads().get(results.loads().size() - 1);
            sentences.add("It was observed to stay so up to " + traffic(last) + saving(last) + ".");
        }
        return sentences;
    }

    private String traffic(double at) {
        return Figures.load(at, results.requestsPerHour(at));
    }

    private String saving(double at) {
        return study.pin()
                .map(pin -> {
                    Gain gain = judge.gain(study.router(), pin, at);
                    return " (penalised latency of " + study.router() + " " + Figures.percent(Math.abs(gain.share()))
                            + (gain.share() < 0 ? " above" : " below") + " that of " + pin + ")";
                })
                .orElse("");
    }
}
