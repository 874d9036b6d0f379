package dev.substraterouter.examples.whatif.advice;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import dev.substraterouter.examples.whatif.compare.Results;

/**
 * Decides whether a gain counts: its whole confidence interval is above nothing, and its mean is a stated share of the penalised latency
 * that it is taken off.
 */
final class Judge {
    private final Results results;
    private final Study study;
    private final double threshold;

    Judge(Results results, Study study, double threshold) {
        this.results = results;
        this.study = study;
        this.threshold = threshold;
    }

    double threshold() {
        return threshold;
    }

    /** What an entrant takes off the penalised latency of another. */
    Gain gain(String entrant, String than, double load) {
        Estimate saved = results.difference(entrant, than, load, Measure.PENALISED_LATENCY)
                .negated();
        double before = results.mean(than, load, Measure.PENALISED_LATENCY).mean();
        return new Gain(saved, before == 0 ? 0 : saved.mean() / before);
    }

    boolean counts(Gain gain) {
        return gain.saved().above0() && gain.share() >= threshold;
    }

    /** The simplest way to place that no less simple one was observed to beat. */
    Verdict at(double load) {
        if (study.pin().isEmpty()) {
            return Verdict.NO_ROUTE;
        }
        String pin = study.pin().get();
        boolean routerOverPin = counts(gain(study.router(), pin, load));
        if (study.matching().isPresent()) {
            String matching = study.matching().get();
            boolean matchingOverPin = counts(gain(matching, pin, load));
            boolean routerOverMatching = counts(gain(study.router(), matching, load));
            if (matchingOverPin && !(routerOverPin && routerOverMatching)) {
                return Verdict.MATCHING;
            }
        }
        return routerOverPin ? Verdict.ROUTER : Verdict.PIN;
    }

    /**
     * A gain.
     *
     * @param saved penalised seconds saved for each request; below 0: lost
     * @param share the same as a share of what there was before
     */
    record Gain(Estimate saved, double share) {}
}
