package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicySink;
import dev.substraterouter.policy.PolicySource;
import dev.substraterouter.policy.yaml.WatchedFile.Look;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A policy file, looked at by one daemon thread from {@link #start} to {@link #close}. Thread-safe.
 *
 * <p><b>How often.</b> What counts is the content, found by reading the file: times and sizes of files lie, watchers miss things. A file
 * of a policy's size costs microseconds. Between two looks that settle a content the pause is a tenth of the interval, at most
 * {@value #MAX_SETTLE_MILLIS} ms; the pause before them leaves time for it, so that a change is in force within one interval even without
 * a hint. After a hint the same short pause lets a writer finish, and keeps a busy folder from making us look all the time.
 *
 * <p><b>How the races end.</b> {@code current} against a look: a lock, under which the file is read; the sink is called outside it. Close
 * against a look: the look ends and is not told; a sink that is being told is told to the end. Nobody waits for the thread.
 */
final class FileWatch implements PolicySource {
    static final Duration LEAST = Duration.ofMillis(10);
    static final Duration MOST = Duration.ofHours(1);
    private static final long MAX_SETTLE_MILLIS = 100;

    private final Path file;
    private final WatchedFile watched; // guarded by the lock
    private final ReentrantLock lock = new ReentrantLock();
    private boolean started; // guarded by the lock
    private final FileHints hints;
    private final long settleNanos;
    private final long pauseNanos;

    FileWatch(Path file, Duration every) {
        if (every.compareTo(LEAST) < 0 || every.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("every: " + every + " (expected: 10 ms to 1 h)");
        }
        this.file = file;
        watched = new WatchedFile(file);
        settleNanos = Math.min(
                every.toNanos() / 10, Duration.ofMillis(MAX_SETTLE_MILLIS).toNanos());
        pauseNanos = every.toNanos() - 2 * settleNanos;
        hints = new FileHints(file);
    }

    @Override
    public Policy current() {
        lock.lock();
        try {
            return started ? watched.good().orElseGet(watched::peek) : watched.load();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(PolicySink sink) {
        startOnce();
        hints.open();
        Thread thread = new Thread(() -> run(sink), "policy-watch-" + file.getFileName());
        thread.setDaemon(true);
        thread.start();
    }

    private void startOnce() {
        lock.lock(); // whoever asks for the policy before this is told of what comes after it
        try {
            if (hints.isClosed() || started) {
                throw new IllegalStateException(
                        "the watch of " + file + " was started or closed before (expected: once)");
            }
            started = true;
        } finally {
            lock.unlock();
        }
    }

    private void run(PolicySink sink) {
        while (!hints.isClosed()) {
            pause(!step(sink));
        }
    }

    /** One look, and what comes of it is told; whether the file is still changing. Nothing ends the thread but {@link #close}. */
    @SuppressWarnings("CatchingUnchecked")
    private boolean step(PolicySink sink) {
        try {
            hints.renew();
            Look look = look();
            tell(look, sink);
            return look instanceof Look.Unsettled;
        } catch (RuntimeException | Error failed) {
            Told.warning("watching " + file + ": a policy could not be judged or put in force", failed);
            return false;
        }
    }

    private Look look() {
        lock.lock();
        try {
            return watched.look();
        } finally {
            lock.unlock();
        }
    }

    private void tell(Look look, PolicySink sink) {
        if (hints.isClosed()) {
            return;
        }
        if (look instanceof Look.Good found) {
            sink.changed(found.policy());
        } else if (look instanceof Look.Bad found) {
            sink.rejected(found.problem());
        }
    }

    private void pause(boolean settled) {
        try {
            if (!settled || hints.await(pauseNanos)) {
                hints.pause(settleNanos);
            }
        } catch (InterruptedException e) {
            Told.debug("watching " + file + ": interrupted by whom it told; goes on", e);
        }
    }

    @Override
    public void close() {
        hints.close();
    }

    @Override
    public String toString() {
        return "FileWatch[" + file + (hints.isClosed() ? ", closed]" : "]");
    }
}
