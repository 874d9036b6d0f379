package dev.substraterouter.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.EjectionLimits;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.QueueLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Statuses;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RouterEvent;
import dev.substraterouter.trace.RoutingTrace;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Random requests, endings, cancellations, interrupts, statuses, cordons and reloads on one router, from many threads.
 *
 * <p>Checked meanwhile: no substrate ever holds more placements or memory than it has; nobody waits beyond the last place; a placement
 * is wholly of one revision, which was in force between asking and answer. Checked after each batch: every request has exactly one trace
 * and exactly one end; nothing is held, nobody waits, and every slot can be taken again, and not one more.
 */
final class Turmoil implements AutoCloseable {
    private static final Map<String, Integer> SLOTS = Map.of("a", 4, "b", 3, "c", 2);
    private static final Map<String, Integer> GB = Map.of("a", 32, "b", 24, "c", 16);
    private static final Map<String, Integer> NEEDS = Map.of("big", 10, "small", 4, "mixed", 6, "pinned", 2);
    private static final List<String> SUBSTRATES = List.of("a", "b", "c");
    private static final List<String> WORKLOADS = List.of("big", "small", "mixed", "pinned");
    private static final int CAPACITY = 8;
    private static final int PORT = 10_000;
    private static final String NAME = "turmoil";

    private final ExecutorService threads;
    private final int width;
    private final SplittableRandom seeds;
    private final SubstrateRouter router;
    private final ReentrantLock reloading = new ReentrantLock();
    private final Map<String, AtomicInteger> held = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> heldGb = new ConcurrentHashMap<>();
    private final Set<Held> all = ConcurrentHashMap.newKeySet();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Queue<Held> shared = new ConcurrentLinkedQueue<>();
    private final AtomicReferenceArray<Thread> workers;
    private final LongAdder placed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder withdrawn = new LongAdder();
    private final LongAdder interrupted = new LongAdder();
    private final LongAdder waitedInVain = new LongAdder();
    private final AtomicLong events = new AtomicLong();
    private int batches;

    Turmoil(ExecutorService threads, int width, long seed) {
        this.threads = threads;
        this.width = width;
        this.workers = new AtomicReferenceArray<>(width);
        seeds = new SplittableRandom(seed);
        SUBSTRATES.forEach(id -> {
            held.put(id, new AtomicInteger());
            heldGb.put(id, new AtomicInteger());
        });
        router = SubstrateRouter.builder()
                .policy(policy(1))
                .name(NAME)
                .seed(seed)
                .recentTraces(100_000)
                .listener(this::heard)
                .build();
        healthy();
    }

    /** The policy of a revision: its endpoints tell which one it is. */
    private static Policy policy(long revision) {
        Policy.Builder policy = Policy.builder()
                .poll(PollSettings.builder().every(Duration.ofSeconds(5)).build())
                .health(HealthLimits.builder().staleAfter(Duration.ofMinutes(1)).build())
                .ejection(EjectionLimits.builder()
                        .window(Duration.ofMillis(3))
                        .maxWindow(Duration.ofMillis(10))
                        .trialTimeout(Duration.ofMillis(50))
                        .ramp(Duration.ofMillis(3))
                        .build())
                .queue(QueueLimits.builder()
                        .capacity(CAPACITY)
                        .maxWait(Duration.ofMillis(5))
                        .agesAfter(Duration.ofMillis(2))
                        .holdAfter(Duration.ofMillis(2))
                        .build());
        for (String id : SUBSTRATES) {
            policy.substrate(Substrate.builder(id)
                    .endpoint("http://" + id + ":" + (PORT + revision))
                    .vramGb(GB.get(id))
                    .maxConcurrentJobs(SLOTS.get(id))
                    .reserveForHigh(id.equals("a") && revision % 3 == 0 ? 1 : 0)
                    .build());
        }
        return policy.workload(workload("big").route("a", "b").build())
                .workload(workload("small").route("b", "c", "a").build())
                .workload(workload("mixed")
                        .route(revision % 2 == 0 ? new String[] {"c", "a", "b"} : new String[] {"a", "c"})
                        .build())
                .workload(workload("pinned").pin("c").build())
                .build();
    }

    private static Workload.Builder workload(String name) {
        return Workload.builder(name).vramGb(NEEDS.get(name));
    }

    private void heard(RouterEvent event) {
        events.incrementAndGet();
        if (event instanceof RouterEvent.Queued queued && queued.waiting() > queued.capacity()) {
            wrong.add(event.toString());
        }
    }

    private void healthy() {
        SUBSTRATES.forEach(id -> router.reportStatus(id, Statuses.idle(GB.get(id))));
    }

    String summary() {
        return placed + " placed, " + refused + " refused, " + waitedInVain + " waited in vain, " + withdrawn
                + " withdrawn, " + interrupted + " interrupted, "
                + router.policy().revision() + " revisions, "
                + events + " events";
    }

    // one batch

    void batch(int requests) throws Exception {
        batches++;
        List<Future<?>> running = new ArrayList<>();
        for (int number = 0; number < width; number++) {
            Worker worker = new Worker(number, seeds.split(), requests / width);
            running.add(threads.submit(worker));
        }
        for (Future<?> one : running) {
            one.get(120, TimeUnit.SECONDS);
        }
        for (Held one = shared.poll(); one != null; one = shared.poll()) {
            one.end(Placement::close);
        }
        assertThat(wrong).isEmpty();
        checkQuiet(requests / width * width);
    }

    private void checkQuiet(int requests) {
        String prefix = "b" + batches + "-";
        SUBSTRATES.forEach(router::uncordon);
        await("every request has ended", () -> {
            healthy(); // whoever lingers is gone with a status asked later
            return router.routes().stream().allMatch(route -> route.waiting() == 0)
                    && leases() == 0
                    && traces(prefix).size() >= requests;
        });
        List<RoutingTrace> traces = traces(prefix);
        Set<String> ids = traces.stream().map(RoutingTrace::requestId).collect(Collectors.toSet());
        assertThat(traces.size()).as("one trace each").isEqualTo(requests);
        assertThat(ids.size()).as("one trace each").isEqualTo(requests);
        traces.forEach(this::checkTrace);
        held.forEach((id, count) -> assertThat(count.get()).as("held on %s", id).isZero());
    }

    private List<RoutingTrace> traces(String prefix) {
        return router.recentTraces().stream()
                .filter(trace -> trace.requestId().startsWith(prefix))
                .toList();
    }

    private int leases() {
        return router.substrates().stream().mapToInt(SubstrateView::leases).sum();
    }

    private void checkTrace(RoutingTrace trace) {
        long newest = router.policy().revision();
        for (Attempt attempt : trace.attempts()) {
            boolean whole = attempt.endpoint().orElseThrow().getPort() == PORT + attempt.revision()
                    && attempt.revision() >= 1
                    && attempt.revision() <= newest;
            if (!whole || attempt.outcome() == Outcome.OPEN) {
                throw new AssertionError("not of one revision, or not ended: " + trace);
            }
        }
        boolean served = trace.attempts().stream().anyMatch(one -> one.outcome() == Outcome.SUCCEEDED);
        if (trace.served() != served || trace.revision() < 1 || trace.revision() > newest) {
            throw new AssertionError("does not tell what happened: " + trace);
        }
    }

    /** Every slot can be taken, and not one more; after closing nothing is left. */
    void checkAtTheEnd() throws InterruptedException {
        SUBSTRATES.forEach(router::reset);
        healthy();
        List<Placement> all = new ArrayList<>();
        RouteRequest small = RouteRequest.workload("small").priority(Priority.HIGH);
        for (var next = router.tryPlace(small); next.isPresent(); next = router.tryPlace(small)) {
            all.add(next.get());
        }
        SLOTS.forEach((id, slots) -> assertThat(
                        all.stream().filter(one -> one.substrateId().equals(id)).count())
                .as("slots of %s", id)
                .isEqualTo((long) slots));
        all.forEach(Placement::close);
        assertThat(router.shutdown(Duration.ofSeconds(5))).isTrue();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(NAME)) {
                thread.join(TimeUnit.SECONDS.toMillis(5));
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    @Override
    public void close() {
        router.close();
    }

    private static void await(String what, BooleanSupplier so) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!so.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within 20 s: " + what);
            }
            Thread.onSpinWait();
        }
    }

    // what is held

    /** A placement that is counted while its caller holds it: from after it was handed out until before it ends. */
    private final class Held {
        final Placement placement;
        private final String on;
        private final int gb;
        private boolean counted = true;

        Held(Placement placement, String workload) {
            this.placement = placement;
            this.on = placement.substrateId();
            this.gb = NEEDS.get(workload);
            placed.increment();
            all.add(this);
            if (held.get(on).incrementAndGet() > SLOTS.get(on)) {
                wrong.add("too many on " + on + ": " + holders());
            }
            if (heldGb.get(on).addAndGet(gb) > GB.get(on)) {
                wrong.add("too much memory on " + on + ": " + holders());
            }
        }

        private List<String> holders() {
            return all.stream()
                    .filter(one -> one.on.equals(on))
                    .map(one -> one.placement.toString())
                    .toList();
        }

        /** Ends it; whoever comes second waits until it is no longer counted, so that nothing is counted that has ended. */
        void end(java.util.function.Consumer<Placement> how) {
            letGo();
            how.accept(placement);
            placement.close();
        }

        synchronized void letGo() {
            if (counted) {
                counted = false;
                all.remove(this);
                check(held.get(on).decrementAndGet() >= 0, "below zero on " + on);
                heldGb.get(on).addAndGet(-gb);
            }
        }
    }

    private void check(boolean right, String what) {
        if (!right) {
            wrong.add(what);
        }
    }

    /** A stage that is no longer counted before it completes. */
    private static final class Stage extends CompletableFuture<String> {
        private final Held held;

        Stage(Held held) {
            this.held = held;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            held.letGo();
            return super.cancel(mayInterruptIfRunning);
        }
    }

    // who does it

    private final class Worker implements Runnable {
        private final int number;
        private final SplittableRandom random;
        private final int requests;
        private final Deque<Held> mine = new ArrayDeque<>();
        private final Deque<Coming> coming = new ArrayDeque<>();
        private final Queue<Stage> stages = new ConcurrentLinkedQueue<>();
        private final List<CompletableFuture<String>> calls = new ArrayList<>();

        private record Coming(CompletableFuture<Placement> future, String workload) {}

        Worker(int number, SplittableRandom random, int requests) {
            this.number = number;
            this.random = random;
            this.requests = requests;
        }

        @Override
        public void run() {
            workers.set(number, Thread.currentThread());
            try {
                for (int request = 0; request < requests; request++) {
                    disturb();
                    request(request);
                    letGo(random.nextInt(16) == 0 ? 1 : 0, 1);
                }
            } finally {
                workers.set(number, null);
                Thread.interrupted();
                letGo(0, 0);
            }
        }

        private void request(int request) {
            String workload = WORKLOADS.get(random.nextInt(WORKLOADS.size()));
            long before = router.policy().revision();
            RouteRequest asked = RouteRequest.workload(workload)
                    .requestId("b" + batches + "-" + number + "-" + request)
                    .priority(Priority.values()[random.nextInt(3)])
                    .idempotent(random.nextInt(4) > 0)
                    .maxWait(Duration.ofNanos(random.nextInt(3_000_000)));
            try {
                switch (random.nextInt(10)) {
                    case 0, 1 -> take(router.place(asked), workload, before);
                    case 2, 3 -> coming.add(new Coming(router.placeAsync(asked), workload));
                    case 4 -> router.call(asked, placement -> work(placement, workload));
                    case 5 -> calls.add(router.callAsync(asked, placement -> start(placement, workload)));
                    default -> router.tryPlace(asked).ifPresent(placement -> take(placement, workload, before));
                }
            } catch (RoutingException turnedDown) {
                refused.increment();
                if (turnedDown.reason() == RefusalReason.WAIT_EXPIRED) {
                    waitedInVain.increment();
                }
            } catch (InterruptedException stopped) {
                interrupted.increment();
            } catch (SubstrateFaultException | ConnectException | BackpressureException | IllegalStateException mine) {
                // the work's own
            } catch (Exception unexpected) {
                wrong.add(unexpected.toString());
            }
        }

        private void take(Placement placement, String workload, long before) {
            mine.add(new Held(placement, workload));
            long of = placement.trace().revision();
            long port = placement.endpoint().getPort();
            check(of >= before && of <= router.policy().revision() && port == PORT + of, "revision " + of);
        }

        private String work(Placement placement, String workload)
                throws SubstrateFaultException, ConnectException, BackpressureException, InterruptedException {
            Held one = new Held(placement, workload);
            try {
                switch (random.nextInt(16)) {
                    case 0 -> throw new SubstrateFaultException("broken");
                    case 1 -> throw new ConnectException("refused");
                    case 2 -> throw new BackpressureException(Duration.ofMillis(1));
                    case 3 -> throw new IllegalStateException("the request's own fault");
                    case 4 -> {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                    }
                    default -> Thread.yield();
                }
                return "done";
            } finally {
                one.letGo();
            }
        }

        private CompletionStage<String> start(Placement placement, String workload) {
            Stage stage = new Stage(new Held(placement, workload));
            stages.add(stage);
            return stage;
        }

        private void letGo(int keepMine, int keep) {
            while (mine.size() > keepMine) {
                Held one = mine.remove();
                if (random.nextInt(8) == 0) {
                    shared.add(one); // two threads may end it
                }
                end(one);
                Held others = shared.poll();
                if (others != null) {
                    end(others);
                }
            }
            while (coming.size() > keep) {
                await(coming.remove());
            }
            for (Stage stage = stages.poll(); stage != null; stage = stages.poll()) {
                stage.held.letGo();
                switch (random.nextInt(10)) {
                    case 0 -> stage.completeExceptionally(new SubstrateFaultException("broken"));
                    case 1 -> stage.completeExceptionally(new CompletionException(new ConnectException("refused")));
                    default -> stage.complete("done");
                }
            }
            if (calls.size() > keep) {
                calls.get(random.nextInt(calls.size())).cancel(true);
                calls.removeIf(CompletableFuture::isDone);
            }
            while (keep == 0 && !calls.isEmpty()) {
                letGoOfCalls();
            }
        }

        private void letGoOfCalls() {
            calls.forEach(call -> call.cancel(true));
            calls.clear();
            letGo(0, 0);
        }

        private void end(Held one) {
            switch (random.nextInt(24)) {
                case 0 -> one.end(placement -> placement.nodeFault(new SubstrateFaultException("broken")));
                case 1 -> one.end(placement -> placement.fail(new ConnectException("refused")));
                case 2 -> one.end(placement -> placement.busy(Duration.ofMillis(1)));
                case 3 -> one.end(placement -> placement.fail(new IllegalStateException("the request's own fault")));
                case 4, 5 -> one.end(Placement::close);
                default -> one.end(Placement::succeed);
            }
        }

        private void await(Coming one) {
            if (random.nextInt(3) == 0 && one.future.cancel(true)) {
                withdrawn.increment();
                return;
            }
            try {
                Held got = new Held(one.future.get(30, TimeUnit.SECONDS), one.workload);
                end(got);
            } catch (InterruptedException stopped) {
                interrupted.increment();
                if (!one.future.cancel(true)) {
                    await(one);
                }
            } catch (CancellationException gone) {
                withdrawn.increment();
            } catch (ExecutionException turnedDown) {
                refused.increment();
                check(turnedDown.getCause() instanceof RoutingException, turnedDown.toString());
            } catch (java.util.concurrent.TimeoutException never) {
                wrong.add("a future that is never completed: " + one);
            }
        }

        private void disturb() {
            String id = SUBSTRATES.get(random.nextInt(SUBSTRATES.size()));
            int dice = random.nextInt(4_000);
            if (dice < 400) {
                router.reportStatus(
                        id, random.nextInt(12) == 0 ? Statuses.loaded(GB.get(id)) : Statuses.idle(GB.get(id)));
            } else if (dice < 406) {
                router.cordon(id);
            } else if (dice < 460) {
                SUBSTRATES.forEach(router::uncordon);
            } else if (dice < 470) {
                router.reset(id);
            } else if (dice < 472) {
                reload();
            } else if (dice < 492) {
                Thread other = workers.get(random.nextInt(width));
                if (other != null) {
                    other.interrupt();
                }
            } else if (dice < 500) {
                router.routes()
                        .forEach(route -> check(route.waiting() <= route.capacity(), "waiting beyond: " + route));
                router.recommend(RouteRequest.workload("small"));
            }
        }

        private void reload() {
            reloading.lock();
            try {
                router.reload(policy(router.policy().revision() + 1));
            } finally {
                reloading.unlock();
            }
        }
    }
}
