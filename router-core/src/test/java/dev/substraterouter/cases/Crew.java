package dev.substraterouter.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do things at the same moment, again and again. */
final class Crew implements AutoCloseable {
    private final ExecutorService threads;

    Crew(int size) {
        threads = Executors.newFixedThreadPool(size);
    }

    /** One thing that a thread does in a round. */
    @FunctionalInterface
    interface Job {
        void run(int round) throws Exception;
    }

    /** Looks at what a round has left, while every thread stands still. */
    @FunctionalInterface
    interface Check {
        void look(int round) throws Exception;
    }

    /** Runs the jobs at once, a thread each, so many rounds, with a check after each round. */
    void rounds(int rounds, List<Job> jobs, Check after) throws Exception {
        CyclicBarrier start = new CyclicBarrier(jobs.size());
        List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
        int[] round = {0};
        CyclicBarrier end = new CyclicBarrier(jobs.size(), () -> {
            try {
                if (wrong.isEmpty()) {
                    after.look(round[0]);
                }
            } catch (Throwable t) {
                wrong.add(t);
            }
            round[0]++;
        });
        List<Future<?>> ran = new ArrayList<>();
        for (Job job : jobs) {
            ran.add(threads.submit(() -> {
                for (int at = 0; at < rounds && wrong.isEmpty(); at++) {
                    start.await(60, TimeUnit.SECONDS);
                    try {
                        job.run(at);
                    } catch (Throwable t) {
                        wrong.add(t);
                    }
                    end.await(60, TimeUnit.SECONDS);
                }
                return null;
            }));
        }
        for (Future<?> one : ran) {
            try {
                one.get(120, TimeUnit.SECONDS);
            } catch (ExecutionException stuck) {
                wrong.add(stuck);
            }
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError("in round " + (round[0] - 1) + ": " + wrong.get(0), wrong.get(0));
        }
    }

    /** As {@link #rounds(int, List, Check)}, the same job for every thread. */
    void rounds(int rounds, int threadCount, Job job, Check after) throws Exception {
        rounds(rounds, java.util.Collections.nCopies(threadCount, job), after);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
