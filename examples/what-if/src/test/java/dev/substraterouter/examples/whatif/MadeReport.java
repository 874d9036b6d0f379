package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.advice.Advice;
import dev.substraterouter.examples.whatif.advice.Study;
import dev.substraterouter.examples.whatif.compare.Comparison;
import dev.substraterouter.examples.whatif.compare.Results;
import dev.substraterouter.examples.whatif.report.HtmlReport;
import dev.substraterouter.examples.whatif.report.JsonReport;
import dev.substraterouter.examples.whatif.report.TextReport;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Simulation;

/** The reports of a small comparison. */
public record MadeReport(Results results, String html, String json, String text) {
    /** A comparison that is really simulated. */
    public static MadeReport simulated(int seeds) {
        return of(
                (entrant, scenario, share) ->
                        Simulation.of(entrant.policy(), scenario).run(),
                seeds);
    }

    /** A comparison whose runs are made. */
    public static MadeReport of(Comparison.Runner runner, int seeds) {
        Policy policy = Made.policy();
        Entrants entrants = new Entrants(policy, variant -> Simulation.of(variant, Made.scenario())).withSweeps();
        Results results = Comparison.of(Made.scenario())
                .entrants(entrants.all())
                .seeds(seeds)
                .runner(runner)
                .run();
        Study study = entrants.study();
        Advice advice = Advice.of(results, study, Advice.THRESHOLD);
        return new MadeReport(
                results,
                HtmlReport.of(results, study, advice),
                JsonReport.of(results, study, advice),
                TextReport.of(results, advice));
    }
}
