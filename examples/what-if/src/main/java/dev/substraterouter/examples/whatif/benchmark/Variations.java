package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.compare.Estimate;
import dev.substraterouter.examples.whatif.compare.Measure;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The goals G9 to G13, in which settings or the scenario are others. */
final class Variations {
    /** Nobody is refused. */
    static final Setting UNBOUNDED = Setting.router("router, unbounded", Sub2.unbounded());
    /** The same with static order. */
    static final Setting UNBOUNDED_STATIC =
            Setting.STATIC.with(", unbounded", Sub2.policy(Sub2.preference().andThen(Sub2.unbounded())));
    /** Those first that can still be in time. */
    static final Setting DEADLINE = Setting.router(
            "router, order deadline", Sub2.queue("order", "deadline").andThen(Sub2.queue("max_wait", "60s")));

    private static final Setting TRUSTING = Setting.router("router, learn off", Sub2.strategy("learn", "false"));

    private final Bench bench;

    Variations(Bench bench) {
        this.bench = bench;
    }

    /** So many routers, and nodes that refuse what is too much. */
    static Setting admitting(int routers) {
        return Setting.ROUTER.in(", " + routers + " with admission", Sub2.routers(routers));
    }

    List<Goal> wrongTimes() {
        return List.of(
                unlearnt("half", 0.5, 18),
                unlearnt("twice", 2, 8),
                learnt("half", 0.5),
                learnt("twice", 2),
                observations());
    }

    private static Setting wrong(String word, double factor, boolean learn) {
        Consumer<ObjectNode> times = Sub2.legionTimes(factor);
        return Setting.router(
                "router, Legion's times " + word + (learn ? "" : ", learn off"),
                learn ? times : times.andThen(Sub2.strategy("learn", "false")));
    }

    private Goal unlearnt(String word, double factor, double limit) {
        Goal goal = new Goal("G9", "penalised latency with Legion's times " + word + ", before learning", " %", 1)
                .reported();
        Setting wrong = wrong(word, factor, false);
        for (Cell cell : Cell.ALL) {
            goal.atMost(cell, Goals.more(bench.run(wrong, cell), bench.run(TRUSTING, cell)), limit)
                    .twin(bench.run(wrong, cell), bench.run(Setting.STATIC, cell));
        }
        return goal;
    }

    private Goal learnt(String word, double factor) {
        Goal goal = new Goal(
                        "G9",
                        "penalised latency with Legion's times " + word
                                + ", after learning (second half of a double run)",
                        " %",
                        1)
                .reported();
        Setting wrong = wrong(word, factor, true);
        for (Cell cell : Cell.ALL) {
            Estimate ratio = Series.ratio(secondHalf(wrong, cell), secondHalf(Setting.ROUTER, cell));
            goal.atMost(cell, Goals.percentMore(ratio), 3)
                    .twin(bench.runFewLong(wrong, cell), bench.runFew(Setting.STATIC, cell));
        }
        return goal;
    }

    /**
     * The penalised latency of those who came in the second half of a run twice as long: the sum of the long run less that of the short one,
     * whose requests are its first. Those few who waited in the middle were not hindered by later ones in the short run.
     */
    private double[] secondHalf(Setting setting, Cell cell) {
        Series longer = bench.runFewLong(setting, cell);
        Series shorter = bench.runFew(setting, cell);
        double[] all = longer.of(Measure.PENALISED_LATENCY);
        double[] first = shorter.of(Measure.PENALISED_LATENCY);
        double[] later = new double[all.length];
        for (int run = 0; run < later.length; run++) {
            double requests = longer.offered()[run];
            double before = shorter.offered()[run];
            later[run] = (all[run] * requests - first[run] * before) / (requests - before);
        }
        return later;
    }

    private Goal observations() {
        Goal goal = new Goal("G9", "observations on Legion before that, of the workload with fewest", "", 0).reported();
        for (Cell cell : Cell.ALL) {
            for (Setting wrong : List.of(wrong("half", 0.5, true), wrong("twice", 2, true))) {
                double least = bench.runFew(wrong, cell).leastServed();
                goal.atLeast(cell + (wrong.name().contains("half") ? " half" : " twice"), exactly(least), 20);
            }
        }
        return goal;
    }

    private static Estimate exactly(double value) {
        return new Estimate(value, 0, 1);
    }

    List<Goal> ownersCost() {
        Setting sparing = Setting.router("router, owner's cost", Sub2.ownerCost());
        Goal seconds = new Goal("G10", "owner-seconds by the static order's, owner's cost on", " ×", 2).reported();
        Goal latency = new Goal("G10", "mean latency by the static order's, owner's cost on", " ×", 2).reported();
        for (Cell cell : Cell.allPoisson()) {
            Series spared = bench.run(sparing, cell);
            Series statically = bench.run(Setting.STATIC, cell);
            Estimate ratio = new Estimate(
                    spared.estimate(Measure.OWNER_SECONDS).mean()
                            / statically.estimate(Measure.OWNER_SECONDS).mean(),
                    0,
                    1);
            seconds.atMost(cell, ratio, 0.8).twin(spared, statically);
            latency.atMost(cell, spared.ratio(statically, Measure.MEAN_LATENCY), 1)
                    .twin(spared, statically);
        }
        return List.of(seconds, latency);
    }

    /** With the settings as they are, and with a smaller margin, which stays longer where a model is loaded. */
    List<Goal> coldModels() {
        Cell cell = Cell.poisson(180);
        Series cold = bench.run(Setting.router("router, cold", Sub2.loadTimes()).in("", Sub2.cold()), cell);
        Series statically = bench.run(Setting.STATIC.in(", cold", Sub2.cold()), cell);
        return List.of(
                new Goal("G11", "cold loads", " /1000 placements", 0)
                        .atMost(cell, cold.estimate(Measure.COLD_LOADS), 270),
                new Goal("G11", "mean latency with cold loads", " s", 1)
                        .atMost(cell, cold.estimate(Measure.MEAN_LATENCY), 35)
                        .twin(cold, statically));
    }

    List<Goal> hysteresis() {
        Setting jumpy = Setting.router("router, no hysteresis", Sub2.degradedAfter(1));
        Goal cost = new Goal("G12", "penalised latency above that without hysteresis", " %", 1);
        Goal edgeCost = new Goal("G12", "penalised latency above that without hysteresis, EDGE", " %", 1);
        for (Cell cell : Cell.ALL) {
            Series plain = bench.run(Setting.ROUTER, cell);
            cost.atMost(cell, Goals.more(plain, bench.run(jumpy, cell)), 1)
                    .twin(plain, bench.run(Setting.STATIC, cell));
            Series edge = bench.run(edge(Setting.ROUTER), cell);
            edgeCost.atMost(cell, Goals.more(edge, bench.run(edge(jumpy), cell)), 1)
                    .twin(edge, bench.run(edge(Setting.STATIC), cell));
        }
        Goal switches = new Goal("G12", "switches fewer than without hysteresis, EDGE", " %", 1);
        Cell cell = Cell.poisson(180);
        Estimate ratio = bench.run(edge(Setting.ROUTER), cell).ratio(bench.run(edge(jumpy), cell), Measure.SWITCHES);
        switches.atLeast(cell, Goals.percentMore(ratio).negated(), 2);
        return List.of(cost, edgeCost, switches);
    }

    /** In the variant in which the workstation is near the limit of its utilisation while somebody works there. */
    static Setting edge(Setting setting) {
        return setting.in(", EDGE", Sub2.edge());
    }

    List<Goal> severalRouters() {
        return List.of(severalRouters(2, 1.15), severalRouters(4, 1.20));
    }

    private Goal severalRouters(int routers, double limit) {
        Goal goal = new Goal("G13", "penalised latency of " + routers + " routers by that of one, nodes admit", " ×", 3)
                .reported();
        Cell cell = Cell.poisson(180);
        Series several = bench.run(admitting(routers), cell);
        return goal.atMost(cell, several.ratio(bench.run(admitting(1), cell), Measure.PENALISED_LATENCY), limit)
                .twin(several, bench.run(Setting.STATIC, cell));
    }
}
