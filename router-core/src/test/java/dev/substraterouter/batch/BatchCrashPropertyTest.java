package dev.substraterouter.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.Placement;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.RouteRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * Dispatchers on one store come, run, fail, fall asleep past their claims, and die at any step; the store fails before or after any step. Whatever
 * the schedule: the store never holds more than it may, a job starts nowhere after its success or its death was recorded (a cancel by somebody else reaches a
 * run that waits for its thread at its next renewal only), each end stays as it was, and once the system is left to run every accepted job ends.
 */
class BatchCrashPropertyTest {
    private static final int CAPACITY = 12;
    private static final int DISPATCHERS = 3;

    @BeforeProperty
    void silence() {
        BatchRig.LOG.setUseParentHandlers(false);
    }

    @AfterProperty
    void speak() {
        BatchRig.LOG.setUseParentHandlers(true);
    }

    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    void noJobIsLostAndNoneRunsAfterItsSuccess(@ForAll long seed) {
        World world = new World(seed);
        for (int step = 0; step < 250; step++) {
            world.step();
            world.check();
        }
        world.settle();
    }

    /** What may be alive: a router and a dispatcher on it, in a process that may die. */
    private final class Process {
        final SubstrateRouter router;
        final BatchDispatcher batch;
        final List<Runnable> tasks = new ArrayList<>();
        final List<Runnable> clerk = new ArrayList<>();
        boolean dead;
        boolean asleep;

        Process(World world, int number) {
            router = BatchRig.router(world.rig.time);
            Executor mortal = task -> {
                if (asleep) {
                    clerk.add(task);
                } else if (!dead) {
                    task.run();
                }
            };
            batch = BatchDispatcher.builder(router, new Unreliable(world, this), world::work)
                    .name("process " + number)
                    .timeSource(world.rig.time)
                    .executor(tasks::add)
                    .storeExecutor(mortal)
                    .claimFor(Duration.ofSeconds(20))
                    .seed(number)
                    .build();
        }

        /** Goes on as if no time had passed: with its work or with its store, as it happens. */
        private void wake(boolean workFirst) {
            asleep = false;
            if (workFirst && !tasks.isEmpty()) {
                tasks.remove(0).run();
            }
            while (!clerk.isEmpty() && !dead) {
                clerk.remove(0).run();
            }
        }
    }

    /** Dies or fails on the way to or from the store. */
    private static final class Unreliable extends ForwardingBatchQueue {
        private final World world;
        private final Process process;

        Unreliable(World world, Process process) {
            super(world.rig.store);
            this.world = world;
            this.process = process;
        }

        @Override
        protected void before() {
            world.trouble(process);
        }

        @Override
        protected void after() {
            world.trouble(process);
        }
    }

    private final class World {
        final BatchRig rig = new BatchRig(CAPACITY);
        private final Random dice;
        private final List<Process> processes = new ArrayList<>();
        private final Set<String> accepted = new HashSet<>();
        private final Map<String, BatchState> ends = new HashMap<>();
        private final List<String> wrong = new ArrayList<>();
        private int born;
        private int submitted;
        private boolean calm;

        World(long seed) {
            dice = new Random(seed);
        }

        byte[] work(Placement placement, BatchJob job) throws Exception {
            BatchState state = rig.store.find(job.id()).map(BatchReport::state).orElseThrow();
            if (state == BatchState.SUCCEEDED
                    || state == BatchState.DEAD) { // noted, not thrown: what the work throws is its outcome
                wrong.add(job + " starts though it is " + state);
            }
            boolean poison = job.payload()[0] == 1;
            switch (poison ? dice.nextInt(4) : calm ? 9 : dice.nextInt(14)) {
                case 0 -> throw new IllegalStateException("request");
                case 1 -> throw new IOException("node");
                case 2 -> throw SubstrateFaultException.outOfMemory("memory");
                case 3 -> throw new StackOverflowError("error");
                case 4 -> throw new ConnectException("away");
                case 5 -> throw new InterruptedException("host");
                case 6 -> rig.store.cancel(job.id());
                case 7 -> rig.seconds(25); // asleep: its claim may run out under it
                default -> {}
            }
            return job.payload();
        }

        void trouble(Process process) {
            if (calm) {
                return;
            }
            int roll = dice.nextInt(1_000);
            if (roll == 0) {
                process.dead = true;
            }
            if (roll < 15 || process.dead) {
                throw new IllegalStateException("the store is away");
            }
        }

        void step() {
            processes.removeIf(process -> process.dead && dice.nextInt(10) == 0);
            if (processes.stream().filter(process -> !process.dead).count() < DISPATCHERS && dice.nextInt(3) == 0) {
                processes.add(new Process(this, born++));
            }
            switch (dice.nextInt(9)) {
                case 0, 1 -> submit();
                case 2, 3, 4 -> runSomething();
                case 5 -> rig.seconds(dice.nextInt(30));
                case 6 -> rig.seconds(1);
                case 7 -> turn(any());
                default -> cancelSomething();
            }
        }

        /** Falls asleep, or wakes up. */
        private void turn(Process process) {
            if (process != null && process.asleep) {
                process.wake(dice.nextBoolean());
            } else if (process != null && dice.nextInt(3) == 0) {
                process.asleep = true;
            }
        }

        private void submit() {
            Process process = any();
            if (process == null || process.dead || process.asleep) {
                return;
            }
            RouteRequest request = dice.nextBoolean() ? BatchRig.SMALL : BatchRig.BIG;
            String key = "key " + submitted++;
            try {
                byte[] payload = {(byte) (dice.nextInt(5) == 0 ? 1 : 0)};
                accepted.add(process.batch.submit(request, payload, key).id());
            } catch (BatchFullException full) {
                assertThat(rig.store.open()).isEqualTo(CAPACITY);
            } catch (IllegalStateException away) {
                // accepted or not: nobody knows, which is what keys are for
            }
        }

        private void runSomething() {
            Process process = any();
            if (process != null && !process.asleep && !process.tasks.isEmpty()) {
                Runnable task = process.tasks.remove(dice.nextInt(process.tasks.size()));
                if (!process.dead) {
                    task.run();
                }
            }
        }

        private void cancelSomething() {
            if (dice.nextInt(4) == 0 && !accepted.isEmpty()) {
                List<String> ids = accepted.stream().sorted().toList();
                rig.store.cancel(ids.get(dice.nextInt(ids.size())));
            }
        }

        private Process any() {
            return processes.isEmpty() ? null : processes.get(dice.nextInt(processes.size()));
        }

        void check() {
            assertThat(wrong).isEmpty();
            assertThat(rig.store.open()).isLessThanOrEqualTo(CAPACITY);
            for (String id : accepted) {
                BatchState state = rig.store.find(id).orElseThrow().state();
                BatchState before = ends.get(id);
                if (before != null) {
                    assertThat(state).as("an end stays").isEqualTo(before);
                } else if (state.ended()) {
                    ends.put(id, state);
                }
            }
        }

        void settle() {
            calm = true;
            processes.removeIf(process -> process.dead);
            processes.forEach(process -> process.wake(true));
            processes.add(new Process(this, born++));
            for (int second = 0; second < 600 && rig.store.open() > 0; second++) {
                rig.seconds(2);
                for (Process process : processes) {
                    while (!process.tasks.isEmpty()) {
                        process.tasks.remove(0).run();
                    }
                }
                check();
            }
            assertThat(rig.store.open()).as("every job ends").isZero();
            for (Process process : processes) {
                assertThat(process.batch.running()).isZero();
                process.batch.close();
                rig.seconds(30);
                assertThat(process.router.substrates()).allMatch(view -> view.leases() == 0);
                process.router.close();
            }
            rig.close();
        }
    }
}
