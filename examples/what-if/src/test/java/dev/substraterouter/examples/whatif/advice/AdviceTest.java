package dev.substraterouter.examples.whatif.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.whatif.Made;
import dev.substraterouter.examples.whatif.advice.Study.Contrast;
import dev.substraterouter.examples.whatif.advice.Study.Setting;
import dev.substraterouter.examples.whatif.compare.Comparison;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.examples.whatif.compare.Results;
import dev.substraterouter.simulate.Arrivals.Poisson;
import dev.substraterouter.simulate.SimulationReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdviceTest {
    private static final Pattern CAUSES = Pattern.compile(
            "(?i)\\b(because|cause[sd]?|due to|thanks to|owing to|therefore|thus|hence|proves?|leads? to|makes?)\\b");
    private static final List<String> EXTRA = List.of("preference", "fifo", "capacity 0", "capacity 4", "margin 3");

    @Test
    void theRouterPays() {
        Advice advice = advice(new Situation(40, 38, 20), 5);

        assertThat(advice.verdict()).isEqualTo(Verdict.ROUTER);
        assertThat(advice.headline())
                .isEqualTo("Observed at load 1 (100 requests/h): router with 20.0 ± 0 s (50.0 %)"
                        + " less penalised latency than pin, over 5 seeds.");
    }

    @Test
    void theRouterIsNotDistinguishableFromThePin() {
        Advice advice = advice(new Situation(40, 40, 39.5).noise(3), 5);

        assertThat(advice.verdict()).isEqualTo(Verdict.PIN);
        assertThat(advice.headline()).contains("which is within the confidence interval of no difference");
    }

    @Test
    void theRoutersGainIsBelowTheThreshold() {
        Advice advice = advice(new Situation(40, 40, 39), 5);

        assertThat(advice.verdict()).isEqualTo(Verdict.PIN);
        assertThat(advice.headline()).contains("(2.50 %) less").contains("below the threshold of 5 %");
    }

    @Test
    void theRouterIsWorse() {
        Advice advice = advice(new Situation(40, 40, 60), 5);

        assertThat(advice.verdict()).isEqualTo(Verdict.PIN);
        assertThat(advice.headline()).contains("router with 20.0 ± 0 s (50.0 %) more");
    }

    @Test
    void capabilityMatchingIsEnough() {
        Advice advice = advice(new Situation(40, 21, 20.5), 5);

        assertThat(advice.verdict()).isEqualTo(Verdict.MATCHING);
        assertThat(advice.headline()).contains("matching with 19.0 ± 0 s (47.5 %) less");
    }

    @Test
    void oneSeedDecidesNothing() {
        Advice advice = advice(new Situation(40, 38, 20), 1);

        assertThat(advice.verdict()).isEqualTo(Verdict.PIN);
        assertThat(advice.headline()).contains("(one seed, no interval)").endsWith("over 1 seed.");
    }

    @Test
    void tellsAtWhoseCost() {
        assertThat(topic(advice(new Situation(40, 38, 20).owner(100, 360), 5), "At whose cost"))
                .containsExactly(
                        "Under router the owner of legion was observed to share it with routed work for 360 ± 0 s/h, under pin for"
                                + " 100 ± 0 s/h.",
                        "In sum that was observed to be 260 ± 0 s/h more than under pin (360 against 100).");
        assertThat(topic(advice(new Situation(40, 38, 20).owner(0, 0), 5), "At whose cost"))
                .containsExactly("No owner was observed to be disturbed under router.");
    }

    @Test
    void namesTheFeatureWithTheLargestGain() {
        List<String> told = topic(advice(new Situation(40, 38, 20), 5), "Which feature pays for it");

        assertThat(told.get(0)).isEqualTo("The largest gain was observed with earliest-finish instead of preference.");
        assertThat(told.get(1))
                .isEqualTo(
                        "With earliest-finish instead of preference: 10.0 ± 0 s (33.3 %) less penalised latency observed.");
    }

    @Test
    void theLowestSettingThatIsNotWorseSuits() {
        List<String> told = topic(advice(new Situation(40, 38, 20), 5), "Which settings suit");

        assertThat(told.get(0))
                .startsWith("A queue capacity of 4 suits: with it 20.0 s penalised latency was observed");
        assertThat(told.get(1)).startsWith("A finish margin of 1.5 suits").contains("It is the policy's own");
    }

    @Test
    void tellsFromWhichLoadTheAnswerChanges() {
        List<String> told =
                topic(advice(new Situation(40, 40, 39).gainsWithLoad(), 5, 0.5, 1, 2), "From which traffic on");

        assertThat(told)
                .hasSize(2)
                .first()
                .asString()
                .startsWith("At load 0.5 (100 requests/h)")
                .endsWith("Keep the pin (penalised latency of router 2.50 % below that of pin).");
        assertThat(told.get(1))
                .startsWith("From load 2 ")
                .contains("it was observed to be: The router pays (penalised");
    }

    @Test
    void everySentenceSaysWhatWasObservedAndNoneSaysWhy() {
        Set<Verdict> verdicts = new TreeSet<>();
        for (double pin : new double[] {20, 40, 0}) {
            for (double matching : new double[] {20, 38, 60}) {
                for (double router : new double[] {20, 39, 60, 0}) {
                    for (double noise : new double[] {0, 4}) {
                        for (int seeds : new int[] {1, 2, 6}) {
                            for (boolean routes : new boolean[] {true, false}) {
                                Situation situation = new Situation(pin, matching, router).noise(noise);
                                Advice advice =
                                        Advice.of(results(situation, seeds, 0.5, 1), study(routes), Advice.THRESHOLD);
                                verdicts.add(advice.verdict());
                                check(advice);
                            }
                        }
                    }
                }
            }
        }
        assertThat(verdicts).containsExactlyInAnyOrder(Verdict.values());
    }

    private static void check(Advice advice) {
        List<String> sentences = Stream.concat(
                        Stream.of(advice.headline()),
                        advice.topics().stream().flatMap(topic -> topic.sentences().stream()))
                .toList();
        assertThat(sentences).allSatisfy(sentence -> {
            assertThat(sentence).containsIgnoringCase("observed").endsWith(".");
            assertThat(sentence)
                    .doesNotContain("NaN")
                    .doesNotContain("Infinity")
                    .doesNotContain("null");
            assertThat(CAUSES.matcher(sentence).find()).as(sentence).isFalse();
        });
        advice.topics().forEach(topic -> assertThat(topic.title()).doesNotContainPattern(CAUSES));
    }

    private static List<String> topic(Advice advice, String title) {
        return advice.topics().stream()
                .filter(topic -> topic.title().equals(title))
                .findFirst()
                .orElseThrow()
                .sentences();
    }

    private static Advice advice(Situation situation, int seeds, double... loads) {
        Results results = results(situation, seeds, loads.length == 0 ? new double[] {1} : loads);
        return Advice.of(results, study(true), Advice.THRESHOLD);
    }

    private static Study study(boolean routes) {
        return new Study(
                "router",
                routes ? Optional.of("pin") : Optional.empty(),
                routes ? Optional.of("matching") : Optional.empty(),
                List.of(
                        new Contrast("waiters by deadline instead of arrival", "fifo", "router"),
                        new Contrast("earliest-finish instead of preference", "preference", "router")),
                List.of(
                        new Setting(0, "capacity 0", false),
                        new Setting(4, "capacity 4", false),
                        new Setting(8, "router", true)),
                List.of(new Setting(1.5, "router", true), new Setting(3, "margin 3", false)),
                List.of());
    }

    private static Results results(Situation situation, int seeds, double... loads) {
        List<Entrant> entrants = new ArrayList<>();
        Stream.of("router", "pin", "matching").forEach(name -> entrants.add(Entrant.router(name, name, Made.policy())));
        EXTRA.forEach(
                name -> entrants.add(Entrant.router(name, name, Made.policy()).atBaseLoadOnly()));
        return Comparison.of(Made.scenario())
                .entrants(entrants)
                .firstSeed(1)
                .seeds(seeds)
                .loads(loads)
                .runner((entrant, scenario, share) -> {
                    Poisson arrivals = (Poisson) scenario.traffic().get(0).arrivals();
                    return situation.report(entrant.name(), scenario.seed(), arrivals.perHour() / 240);
                })
                .run();
    }

    /** What each entrant's requests take, seconds. */
    private static final class Situation {
        private final double pin;
        private final double matching;
        private final double router;
        private double noise;
        private double pinOwner = 50;
        private double routerOwner = 90;
        private boolean growing;

        Situation(double pin, double matching, double router) {
            this.pin = pin;
            this.matching = matching;
            this.router = router;
        }

        Situation noise(double value) {
            noise = value;
            return this;
        }

        Situation owner(double ofPin, double ofRouter) {
            pinOwner = ofPin;
            routerOwner = ofRouter;
            return this;
        }

        Situation gainsWithLoad() {
            growing = true;
            return this;
        }

        SimulationReport report(String name, long seed, double load) {
            double base =
                    switch (name) {
                        case "pin" -> growing && load > 1 ? pin * 2 : pin;
                        case "matching" -> growing && load > 1 ? matching * 2 : matching;
                        default ->
                            router
                                    + Map.of("preference", 10, "capacity 0", 5, "margin 3", 1)
                                            .getOrDefault(name, 0);
                    };
            double jitter = name.equals("router") ? noise * (seed % 2 == 0 ? 1 : -1) : 0;
            return Made.report(name, seed, Math.max(0, base + jitter), name.equals("pin") ? pinOwner : routerOwner);
        }
    }
}
