package dev.substraterouter.testkit;

import dev.substraterouter.AsyncWork;
import dev.substraterouter.BackpressureException;
import dev.substraterouter.Placement;
import dev.substraterouter.Work;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Work that does what a test has written down, call by call, and after the last line what it does by default: answer. It remembers where it
 * was placed. For {@code call} and {@code callAsync} alike; in {@code call} work that blocks blocks its thread, in {@code callAsync} its
 * stage stays open. Thread-safe.
 *
 * <pre>{@code
 * ScriptedWork<String> work = ScriptedWork.answering("image").thenFail(new ConnectException("refused"));
 * router.call(request, work);                                 // fails over
 * assertEquals(List.of("legion", "mirrorforge"), work.substrates());
 * }</pre>
 *
 * @param <T> what it answers
 */
public final class ScriptedWork<T> implements Work<T, Exception>, AsyncWork<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Line<T>> script = new ArrayDeque<>();
    private final List<Placement> placements = new ArrayList<>();
    private final Deque<CompletableFuture<T>> blocked = new ArrayDeque<>();
    private final Semaphore calls = new Semaphore(0);
    private final T answer;

    private ScriptedWork(T answer) {
        this.answer = answer;
    }

    /** What one call does. */
    @FunctionalInterface
    private interface Line<T> {
        CompletableFuture<T> stage();
    }

    /** Work that answers so whenever its script has no line left. */
    public static <T> ScriptedWork<T> answering(T answer) {
        return new ScriptedWork<>(answer);
    }

    /** The next call not yet spoken for answers so. */
    public ScriptedWork<T> thenAnswer(T value) {
        return then(() -> CompletableFuture.completedFuture(value));
    }

    /** The next call fails so. */
    public ScriptedWork<T> thenFail(Exception failure) {
        return then(() -> CompletableFuture.failedFuture(failure));
    }

    /**
     * The next call says that the worker is full.
     *
     * @param retryAfter when to come back; zero: it does not say
     */
    public ScriptedWork<T> thenBusy(Duration retryAfter) {
        return thenFail(new BackpressureException(retryAfter));
    }

    /** The next call blocks until {@link #release()} or {@link #fail(Exception)}. */
    public ScriptedWork<T> thenBlock() {
        return then(() -> {
            CompletableFuture<T> open = new CompletableFuture<>();
            blocked.add(open);
            return open;
        });
    }

    private ScriptedWork<T> then(Line<T> line) {
        lock.lock();
        try {
            script.add(line);
            return this;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the call that has blocked longest answer.
     *
     * @throws IllegalStateException if none is blocked
     */
    public void release() {
        longestBlocked().complete(answer);
    }

    /**
     * Lets the call that has blocked longest fail.
     *
     * @throws IllegalStateException if none is blocked
     */
    public void fail(Exception failure) {
        longestBlocked().completeExceptionally(failure);
    }

    private CompletableFuture<T> longestBlocked() {
        lock.lock();
        try {
            CompletableFuture<T> longest = blocked.poll();
            if (longest == null) {
                throw new IllegalStateException("blocked calls: 0 (expected: at least 1)");
            }
            return longest;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public T run(Placement placement) throws Exception {
        try {
            return next(placement).get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception failure ? failure : failed;
        }
    }

    @Override
    public CompletionStage<T> start(Placement placement) {
        return next(placement);
    }

    private CompletableFuture<T> next(Placement placement) {
        lock.lock();
        try {
            placements.add(placement);
            Line<T> line = script.poll();
            return line == null ? CompletableFuture.completedFuture(answer) : line.stage();
        } finally {
            lock.unlock();
            calls.release();
        }
    }

    /** How often it was called. */
    public int calls() {
        return placements().size();
    }

    /** Where it was placed, call by call. */
    public List<Placement> placements() {
        lock.lock();
        try {
            return List.copyOf(placements);
        } finally {
            lock.unlock();
        }
    }

    /** The ids of the substrates where it was placed, call by call. */
    public List<String> substrates() {
        return placements().stream().map(Placement::substrateId).toList();
    }

    /**
     * Waits until it has been called so often more than at the last time.
     *
     * @return false when that took longer than it may
     * @throws InterruptedException when interrupted
     */
    public boolean awaitCalls(int more, Duration within) throws InterruptedException {
        return calls.tryAcquire(more, within.toNanos(), TimeUnit.NANOSECONDS);
    }
}
