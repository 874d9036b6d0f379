package dev.substraterouter.examples.whatif;

import dev.substraterouter.examples.whatif.advice.Study;
import dev.substraterouter.examples.whatif.advice.Study.Contrast;
import dev.substraterouter.examples.whatif.advice.Study.Setting;
import dev.substraterouter.examples.whatif.advice.Variants;
import dev.substraterouter.examples.whatif.compare.Entrant;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The entrants that a policy is compared with, and the questions that they answer. */
final class Entrants {
    /** The policy as it is. */
    static final String ROUTER = "router";
    /** Its routes cut to the primary. */
    static final String PIN = "pin";
    /** Its routes taken away. */
    static final String MATCHING = "matching";

    private static final List<Integer> CAPACITIES = List.of(0, 4, 8, 16, 32);
    private static final List<Double> MARGINS = List.of(1.0, 1.5, 2.0, 3.0);
    private static final int MANY_PLACES = 100_000;

    private final Policy policy;
    private final Variants variants;
    private final Consumer<Policy> check;
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final List<Contrast> features = new ArrayList<>();
    private final List<Setting> capacities = new ArrayList<>();
    private final List<Setting> margins = new ArrayList<>();
    private Optional<String> pin = Optional.empty();
    private Optional<String> matching = Optional.empty();

    /**
     * The router, the pin and capability matching.
     *
     * @param policy the policy as it is
     * @param check throws an {@link IllegalArgumentException} when a policy cannot be run with the scenario
     */
    Entrants(Policy policy, Consumer<Policy> check) {
        this.policy = policy;
        this.variants = Variants.of(policy);
        this.check = check;
        entrants.add(Entrant.router(ROUTER, "the policy as it is", policy));
        if (variants.hasRoutes()) {
            pin = add(PIN, "each route cut to its primary, gated", variants::pinned, true);
            matching = add(MATCHING, "each route taken away: the need decides", variants::matched, true);
        }
    }

    /** The strategies, the orders of the queue, its capacities and the finish margins, at the base load only. */
    Entrants withSweeps() {
        if (variants.hasRoutes()) {
            strategies();
        }
        orders();
        capacities();
        margins();
        return this;
    }

    /** Others. */
    Entrants with(List<Entrant> more) {
        entrants.addAll(more);
        return this;
    }

    List<Entrant> all() {
        return List.copyOf(entrants);
    }

    Study study() {
        return new Study(ROUTER, pin, matching, features, capacities, margins, left);
    }

    private void strategies() {
        StrategyKind own = variants.strategy();
        StrategyKind other =
                own == StrategyKind.EARLIEST_FINISH ? StrategyKind.PREFERENCE : StrategyKind.EARLIEST_FINISH;
        add(words(other), "all routes by " + words(other), () -> variants.strategy(other), false)
                .ifPresent(name -> features.add(
                        own == StrategyKind.EARLIEST_FINISH
                                ? new Contrast(words(own) + " instead of " + words(other), name, ROUTER)
                                : new Contrast(words(other) + " instead of " + words(own), ROUTER, name)));
    }

    private void orders() {
        QueueOrder own = policy.queue().order();
        if (policy.queue().capacity() == 0) {
            return;
        }
        for (QueueOrder other : QueueOrder.values()) {
            if (other != own) {
                add("order " + words(other), "waiters by " + words(other), () -> variants.queueOrder(other), false)
                        .ifPresent(name -> features.add(
                                other == QueueOrder.ARRIVAL
                                        ? new Contrast("waiters by " + words(own) + " instead of arrival", name, ROUTER)
                                        : new Contrast(
                                                "waiters by " + words(other) + " instead of " + words(own),
                                                ROUTER,
                                                name)));
            }
        }
    }

    private void capacities() {
        int own = policy.queue().capacity();
        for (int places : CAPACITIES) {
            if (places != own) {
                add("capacity " + places, places + " waiting places", () -> variants.queueCapacity(places), false)
                        .ifPresent(name -> capacities.add(new Setting(places, name, false)));
            }
        }
        capacities.add(new Setting(Math.min(own, MANY_PLACES), ROUTER, true));
        capacities.sort(Comparator.comparingDouble(Setting::value));
        capacities.stream()
                .filter(one -> one.value() == 0 && !one.current())
                .findFirst()
                .ifPresent(none ->
                        features.add(new Contrast("a queue of " + own + " instead of none", none.entrant(), ROUTER)));
    }

    /** A finish margin means something by earliest finish only. */
    private void margins() {
        if (variants.strategy() != StrategyKind.EARLIEST_FINISH) {
            return;
        }
        double own = policy.strategy().finishMargin();
        for (double margin : MARGINS) {
            if (margin != own) {
                add("margin " + margin, "a finish margin of " + margin, () -> variants.finishMargin(margin), false)
                        .ifPresent(name -> margins.add(new Setting(margin, name, false)));
            }
        }
        margins.add(new Setting(own, ROUTER, true));
        margins.sort(Comparator.comparingDouble(Setting::value));
    }

    private Optional<String> add(String name, String what, Supplier<Policy> derived, boolean everyLoad) {
        try {
            Policy variant = derived.get();
            check.accept(variant);
            Entrant entrant = Entrant.router(name, what, variant);
            entrants.add(everyLoad ? entrant : entrant.atBaseLoadOnly());
            return Optional.of(name);
        } catch (PolicyException e) {
            left.add("'" + name + "' is no policy that can be used: "
                    + e.problems().get(0) + ".");
        } catch (IllegalArgumentException e) {
            left.add("'" + name + "' cannot be run with this scenario: " + e.getMessage() + ".");
        }
        return Optional.empty();
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
