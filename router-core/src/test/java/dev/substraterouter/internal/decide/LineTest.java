package dev.substraterouter.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.plan.RoutePlan;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** The line against what it saves: sorting everybody, and asking everybody, at every step; also while the clock wraps. */
class LineTest {
    private static final long FAR = Long.MAX_VALUE >> 4; // later than anything that is looked at
    private static final long SECOND = 1_000_000_000L;
    private static final int STEPS = 120;

    @Property(tries = 300)
    void standsAsIfEverybodyWereSortedAndAskedEachTime(@ForAll long seed) {
        new Run(new Random(seed)).run();
    }

    /** One seeker whose route and readiness are given. */
    private static final class Stander extends Seeker {
        private boolean servable = true;

        Stander(Ask ask, RoutePlan route, long deadlineNanos) {
            super(deadlineNanos, ask, route);
        }

        @Override
        protected @Nullable RoutePlan routeUnder(Revision revision) {
            return null;
        }

        @Override
        protected boolean takesBatch() {
            return false;
        }

        @Override
        protected boolean servable() {
            return servable;
        }
    }

    private static final class Run {
        private final Random random;
        private final Map<String, Cell> cells = new HashMap<>();
        private final List<Stander> all = new ArrayList<>(); // in the order of joining
        private final Line<Stander> line;
        private long revisions;
        private long numbers;
        private long sequences;
        private Revision revision;
        private Revision earlier;
        private long now;

        Run(Random random) {
            this.random = random;
            now = switch (random.nextInt(3)) {
                case 0 -> Long.MAX_VALUE - random.nextInt(60) * SECOND;
                case 1 -> -random.nextInt(60) * SECOND;
                default -> random.nextLong();
            };
            revision = revision();
            earlier = revision;
            takeTheFastOne();
            line = new Line<>(revision);
        }

        private void takeTheFastOne() {
            Ask ask = Ask.of(RouteRequest.workload("soon"), 0, now);
            Decision decision = Decider.decide(revision, route(ask.request(), revision), ask, 0, now);
            assertThat(decision).isNotNull();
            assertThat(decision.candidate().substrate.id).isEqualTo("fast");
            assertThat(decision.cell().take(decision)).isNotNull();
        }

        void run() {
            now = line.at(now);
            for (int step = 0; step < STEPS; step++) {
                change();
                check();
            }
        }

        private void change() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> join();
                case 4, 5 -> pass(random.nextInt(4_000) * (SECOND / 1_000));
                case 6 -> toTheNextMoment();
                case 7 -> leave();
                case 8 -> readEarlier();
                case 9 -> look();
                case 10 -> serveSome();
                default -> reload();
            }
        }

        private void join() {
            boolean late = random.nextInt(10) == 0; // it found its route before the policy was changed
            Stander newcomer = newcomer(late ? earlier : revision);
            line.join(newcomer);
            all.add(newcomer);
            assertThat(line.standsUnder(revision)).isEqualTo(newcomer.route().revision == revision.number);
            if (late) {
                reroute();
            }
        }

        private Stander newcomer(Revision by) {
            Priority priority = Priority.values()[random.nextInt(3)];
            RouteRequest request = RouteRequest.workload(random.nextBoolean() ? "soon" : "late")
                    .priority(priority);
            if (random.nextInt(3) == 0) {
                request = request.deadline(Duration.ofSeconds(105 + random.nextInt(8)));
            }
            // by number it may stand elsewhere than by its arrival: it comes again, or was overtaken between the two
            long number = ++sequences * 10 - random.nextInt(30) * 10L;
            number = number * 1_000 + ++numbers;
            Ask ask = Ask.of(request, number, now);
            if (random.nextInt(3) == 0) {
                ask = ask.waited(now, random.nextInt(12_000) * (SECOND / 1_000));
            }
            if (random.nextInt(4) == 0) {
                ask = ask.notBefore("fast", now + random.nextInt(5) * SECOND);
            }
            RoutePlan route = route(request, by);
            return new Stander(ask, route, now + random.nextInt(20) * SECOND);
        }

        private void leave() {
            if (!all.isEmpty()) {
                line.leave(all.remove(random.nextInt(all.size())));
            }
        }

        private void pass(long nanos) {
            now = line.at(now + nanos);
        }

        private void toTheNextMoment() {
            long next = line.next();
            if (next < FAR) {
                pass(Math.max(0, next) - random.nextInt(2));
            }
        }

        private void readEarlier() {
            long later = line.at(now - random.nextInt(5) * SECOND);
            if (!all.isEmpty()) {
                assertThat(later).as("time does not go back").isEqualTo(now);
            }
            now = later;
        }

        /** Somebody is looked at: it waits by choice, or it does not. */
        private void look() {
            for (Stander waiting : all) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        Decision look = Decider.decide(revision, waiting.route(), waiting.ask(), 100 * SECOND, now);
                        waiting.looked(look);
                        if (look != null && look.held()) {
                            line.chooses(waiting);
                        }
                    }
                    case 1 -> waiting.takesWhatIsFree();
                    case 2 -> {
                        waiting.servable = random.nextInt(4) > 0;
                        line.again(waiting);
                    }
                    default -> {}
                }
            }
        }

        /** Those who are served leave while the order is gone through. */
        private void serveSome() {
            List<Stander> expected = sorted(null);
            List<Stander> seen = new ArrayList<>();
            for (Stander waiting : line.order(revision)) {
                seen.add(waiting);
                if (random.nextInt(4) == 0) {
                    line.leave(waiting);
                    all.remove(waiting);
                }
            }
            assertThat(seen).isEqualTo(expected);
        }

        private void reload() {
            earlier = revision;
            revision = revision();
            check(); // whoever asks by the newest revision before all have its routes is told right too
            reroute();
        }

        private void reroute() {
            for (Stander waiting : all) {
                waiting.route(route(waiting.ask().request(), revision));
                if (random.nextInt(3) == 0) {
                    waiting.as(Priority.values()[random.nextInt(3)]);
                }
            }
            line.under(revision);
            assertThat(line.standsUnder(revision)).isTrue();
        }

        private static RoutePlan route(RouteRequest request, Revision by) {
            RoutePlan route = by.compiled.route(request);
            assertThat(route).isNotNull();
            return route;
        }

        private void check() {
            assertThat(line.order(revision)).containsExactlyElementsOf(sorted(null));
            Stander newcomer = newcomer(revision);
            assertThat(line.orderWith(newcomer, revision)).containsExactlyElementsOf(sorted(newcomer));
            assertThat(line.expired())
                    .containsExactlyElementsOf(all.stream()
                            .filter(waiting -> waiting.servable() && waiting.deadlineNanos - now <= 0)
                            .toList());
            assertThat(line.choosing(waiting -> true))
                    .isEqualTo(all.stream().filter(Run::chooses).findFirst().orElse(null));
            if (line.standsUnder(revision)) {
                long next = all.isEmpty() ? Long.MAX_VALUE : next();
                assertThat(Math.min(line.next(), FAR)).isEqualTo(Math.min(next, FAR));
            }
        }

        private static boolean chooses(Stander waiting) {
            Decision look = waiting.lastLook();
            return look != null && look.held();
        }

        private List<Stander> sorted(@Nullable Stander newcomer) {
            List<Stander> ready = new ArrayList<>(all);
            ready.removeIf(waiting -> !waiting.servable());
            if (newcomer != null) {
                ready.add(newcomer);
            }
            return ServiceOrder.sorted(ready, revision, now);
        }

        /** Everybody is asked; one whose time is up counts once only, whatever else is to come. */
        private long next() {
            return all.stream().map(this::next).min(Comparator.naturalOrder()).orElseThrow();
        }

        private long next(Stander waiting) {
            long age = now - waiting.arrivalNanos;
            long next = waiting.servable() ? waiting.deadlineNanos - now : Long.MAX_VALUE;
            if (waiting.priorityClass(now, revision.agesAfterNanos) > 0) {
                next = Math.min(next, revision.agesAfterNanos - Math.floorMod(age, revision.agesAfterNanos));
            }
            next = Math.min(next, ahead(revision.holdAfterNanos - age));
            next = Math.min(next, ahead(waiting.route().overflowAfterNanos - age));
            next = Math.min(next, waiting.ask().nextReturn(now));
            Decision look = waiting.lastLook();
            return look == null ? next : Math.min(next, look.heldFor());
        }

        private static long ahead(long nanos) {
            return nanos > 0 ? nanos : Long.MAX_VALUE;
        }

        /** One of two substrates is taken, and worth waiting for. */
        private Revision revision() {
            Policy policy = Policy.builder()
                    .substrate(substrate("fast"))
                    .substrate(substrate("slow"))
                    .workload(workload("soon", 1))
                    .workload(workload("late", 7))
                    .queue(QueueLimits.builder()
                            .agesAfter(Duration.ofSeconds(1 + random.nextInt(4)))
                            .holdAfter(Duration.ofSeconds(1 + random.nextInt(8)))
                            .order(QueueOrder.values()[Math.max(0, random.nextInt(6) - 3)])
                            .build())
                    .build();
            Revision next = Revision.of(policy.withRevision(++revisions), cells, null, () -> 1);
            next.adoptAll();
            return next;
        }

        private static Substrate substrate(String id) {
            return Substrate.builder(id)
                    .kind(SubstrateKind.EXTERNAL)
                    .trust(Trust.CONTROLLED)
                    .endpoint("https://" + id + ".example.com")
                    .maxConcurrentJobs(1)
                    .build();
        }

        private static Workload workload(String name, int overflowAfter) {
            return Workload.builder(name)
                    .strategy(StrategyKind.EARLIEST_FINISH)
                    .overflowAfter(Duration.ofSeconds(overflowAfter))
                    .route(
                            Candidate.builder("fast")
                                    .expectedLatency(Duration.ofSeconds(5))
                                    .build(),
                            Candidate.builder("slow")
                                    .expectedLatency(Duration.ofSeconds(100))
                                    .build())
                    .build();
        }
    }
}
