package dev.substraterouter.probe.http;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that a test moves; tasks run on the thread that moves it, in the order in which they are due. */
final class ManualTime implements TimeSource {
    private long now = Long.MAX_VALUE - 1_000_000_000L; // wraps after the first second
    private long order;
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.<Task>comparingLong(t -> t.due - now).thenComparingLong(t -> t.order));

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        throw new AssertionError("the wall clock decides nothing");
    }

    @Override
    public synchronized Cancellable schedule(Duration delay, Runnable task) {
        Task scheduled = new Task(now + Math.max(0, delay.toNanos()), order++, task);
        tasks.add(scheduled);
        return () -> cancel(scheduled);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    synchronized int scheduled() {
        return tasks.size();
    }

    void advance(Duration by) {
        long end = nanos() + by.toNanos();
        for (Task task = next(end); task != null; task = next(end)) {
            task.run.run();
        }
        moveTo(end);
    }

    private synchronized Task next(long end) {
        Task first = tasks.peek();
        if (first == null || first.due - end > 0) {
            return null;
        }
        now = first.due;
        return tasks.poll();
    }

    private synchronized void moveTo(long end) {
        now = end;
    }

    private record Task(long due, long order, Runnable run) {}
}
