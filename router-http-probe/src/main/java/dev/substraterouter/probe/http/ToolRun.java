package dev.substraterouter.probe.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs a command and takes what it prints: bounded in time and in bytes, on the caller's thread.
 *
 * <p>The usual way is a thread that reads until the end of the output. But a child's own children may hold the pipe open long after it, and
 * a thread that waits for them cannot be called off. So nothing here blocks on the pipe: what is available is taken, and between two looks
 * the end of the child is awaited, at first for a millisecond. Standard error goes into the same pipe, so that none fills unread. Whoever
 * is past a bound is killed with its children, who are looked up before: afterwards nobody knows whose they were. One that it starts in that
 * very moment escapes; the vendor's tool starts none.
 */
final class ToolRun {
    private static final long FIRST_LOOK_NANOS = 1_000_000;
    private static final long MAX_LOOK_NANOS = 16_000_000;
    private static final long DYING_MILLIS = 200;

    private final Starter starter;
    private final LongSupplier nanos;
    private final int maxBytes;

    /** Starts a child. */
    interface Starter {
        Process start(List<String> command) throws IOException;
    }

    /** How a run ended: by its exit code, or not by itself. Its output is text of a tool, not to be trusted. */
    record End(Process child, How how, int exitCode, String output) {}

    /** The ways in which a run ends. */
    enum How {
        EXITED,
        OVERDUE,
        FLOODED,
        INTERRUPTED
    }

    ToolRun(Starter starter, LongSupplier nanos, int maxBytes) {
        this.starter = starter;
        this.nanos = nanos;
        this.maxBytes = maxBytes;
    }

    /** Starts children of this JVM whose figures have a decimal point. */
    static Process child(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    /**
     * Runs a command for at most so long, and a moment more to see a killed child end.
     *
     * @throws IOException if it cannot be started, or its output not be read
     */
    End run(List<String> command, long deadlineNanos) throws IOException {
        long start = nanos.getAsLong();
        Process child = starter.start(command);
        boolean over = false;
        try {
            child.getOutputStream().close();
            End end = watched(child, start, deadlineNanos);
            over = end.how() == How.EXITED;
            return end;
        } finally {
            if (!over) {
                kill(child);
            }
        }
    }

    private End watched(Process child, long start, long deadlineNanos) throws IOException {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        long look = FIRST_LOOK_NANOS;
        try {
            while (nanos.getAsLong() - start < deadlineNanos) {
                boolean exited = child.waitFor(look, TimeUnit.NANOSECONDS);
                if (!take(child.getInputStream(), taken)) {
                    return new End(child, How.FLOODED, 0, "");
                }
                if (exited) {
                    return new End(child, How.EXITED, child.exitValue(), taken.toString(StandardCharsets.UTF_8));
                }
                look = Math.min(2 * look, MAX_LOOK_NANOS);
            }
            return new End(child, How.OVERDUE, 0, "");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new End(child, How.INTERRUPTED, 0, "");
        }
    }

    /** Takes what is there; false when it is too much. */
    private boolean take(InputStream output, ByteArrayOutputStream taken) throws IOException {
        byte[] buffer = new byte[8 * 1024];
        for (int ready = output.available(); ready > 0; ready = output.available()) {
            int read = output.read(buffer, 0, Math.min(ready, buffer.length));
            if (read < 0) {
                return true;
            }
            taken.write(buffer, 0, read);
            if (taken.size() > maxBytes) {
                return false;
            }
        }
        return true;
    }

    private static void kill(Process child) {
        List<ProcessHandle> theirs = child.descendants().toList();
        child.destroyForcibly(); // before its children: it must not start more of them
        theirs.forEach(ProcessHandle::destroyForcibly);
        boolean interrupted = Thread.interrupted();
        try {
            child.waitFor(DYING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
