package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.examples.whatif.compare.Bound;
import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Figures;
import dev.substraterouter.examples.whatif.compare.Results;
import java.util.ArrayList;
import java.util.List;

/** How far the router and simpler ways to place are from what could be had at all. */
final class BoundWords {
    private final Results results;
    private final Study study;
    private final double load;

    BoundWords(Results results, Study study) {
        this.results = results;
        this.study = study;
        this.load = results.baseLoad();
    }

    List<String> howFar() {
        if (!results.hasBounds()) {
            return List.of();
        }
        List<String> multiples = new ArrayList<>();
        multiples.add(multiple(study.router()));
        study.pin().ifPresent(pin -> multiples.add(multiple(pin)));
        study.matching().ifPresent(matching -> multiples.add(multiple(matching)));
        return List.of(
                "A schedule by somebody who knows every request and every disturbance in advance came to "
                        + seconds(results.bound(load, Bound::clairvoyantSeconds))
                        + " penalised latency; a better one may exist, but none below "
                        + seconds(results.bound(load, Bound::lowestSeconds)) + ".",
                "Observed, as multiples of that schedule: " + String.join(", ", multiples) + ".");
    }

    private String multiple(String entrant) {
        Estimate regret = results.regret(entrant, load);
        return entrant + " " + Figures.number(regret.mean()) + Figures.interval(regret);
    }

    private static String seconds(Estimate estimate) {
        return Figures.number(estimate.mean()) + Figures.interval(estimate) + " s";
    }
}
