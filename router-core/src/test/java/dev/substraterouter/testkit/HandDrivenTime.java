package dev.substraterouter.testkit;

import dev.substraterouter.time.Cancellable;
import dev.substraterouter.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test moves it. Thread-safe. Scheduled tasks run on the thread that moves the time, in the order of their
 * times, each at its time.
 */
public final class HandDrivenTime implements TimeSource {
    private final ReentrantLock lock = new ReentrantLock();
    private final long origin;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.comparingLong((Task task) -> task.after).thenComparingLong(task -> task.number));
    private long passed;
    private long numbers;
    private Instant wall = Instant.parse("2026-05-04T10:00:00Z");

    /** Time that starts at an arbitrary origin. */
    public HandDrivenTime() {
        this(1_000_000_000_000L);
    }

    /** Time whose {@link #nanos()} start at a given value. */
    public HandDrivenTime(long origin) {
        this.origin = origin;
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return origin + passed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Instant wall() {
        lock.lock();
        try {
            return wall;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable action) {
        lock.lock();
        try {
            long nanos = Math.max(
                    0,
                    delay.compareTo(Duration.ofDays(3650)) > 0
                            ? Duration.ofDays(3650).toNanos()
                            : delay.toNanos());
            Task task = new Task(passed + nanos, numbers++, action);
            tasks.add(task);
            return () -> cancel(task);
        } finally {
            lock.unlock();
        }
    }

    /** Lets time pass, and everything that falls due in it happen at its moment. */
    public void advance(Duration by) {
        long end;
        lock.lock();
        try {
            end = passed + by.toNanos();
        } finally {
            lock.unlock();
        }
        for (Task due = next(end, true); due != null; due = next(end, true)) {
            due.action.run();
        }
        move(end);
    }

    /** Lets time jump, as when a machine wakes up: everything that fell due meanwhile happens after the jump, once. */
    public void jump(Duration by) {
        long end;
        lock.lock();
        try {
            end = passed + by.toNanos();
        } finally {
            lock.unlock();
        }
        move(end);
        for (Task due = next(end, false); due != null; due = next(end, false)) {
            due.action.run();
        }
    }

    /** Sets the wall clock alone, as an administrator would. */
    public void setWall(Instant newWall) {
        lock.lock();
        try {
            wall = newWall;
        } finally {
            lock.unlock();
        }
    }

    /** How many tasks are scheduled. */
    public int scheduled() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    private void cancel(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Task next(long end, boolean moving) {
        lock.lock();
        try {
            Task due = tasks.peek();
            if (due == null || due.after > end) {
                return null;
            }
            tasks.remove(due);
            if (moving) {
                move(Math.max(passed, due.after));
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    private void move(long to) {
        lock.lock();
        try {
            long by = Math.max(0, to - passed);
            passed += by;
            wall = wall.plusNanos(by);
        } finally {
            lock.unlock();
        }
    }

    private static final class Task {
        final long after;
        final long number;
        final Runnable action;

        Task(long after, long number, Runnable action) {
            this.after = after;
            this.number = number;
            this.action = action;
        }
    }
}
