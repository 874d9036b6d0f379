package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads this machine's NVIDIA cards through the vendor's tool, {@code nvidia-smi}.
 *
 * <p>{@link #read()} never throws. Without a tool, without a card, with a broken driver or with a tool that hangs the figures are unknown,
 * and the attribute {@code card} says why; it is {@code ok} when nothing is wrong, so that a policy can ask for
 * {@code require_attributes: { card: "ok" }}. A single card that is lost or waits for its reset is unknown by itself, with a note. Jobs are
 * not told: see {@link WorkerGate#status}.
 *
 * <p>One call of the tool is in flight at most: who asks meanwhile gets that call's answer. A call that is past its deadline, or prints
 * more than 256 KiB, is killed. If it cannot be killed (a driver that hangs keeps it in the kernel), no other one is started beside it: as
 * long as it is there, every reading says so at once.
 *
 * <p>How the races end: whoever puts its own future into the empty place of the running call runs the tool, on its own thread; everyone
 * else waits for the future that stands there. The place is emptied before the future is completed, so whoever comes in between starts a
 * call of its own when the former is over. Only who holds the place looks at, or sets, the child that could not be killed. No thread is
 * started.
 *
 * <p>Thread-safe. {@link #read()} blocks for at most the deadline and a moment more.
 */
public final class NvidiaSmi {
    private static final int MAX_BYTES = 256 * 1024;
    private static final Duration MAX_DEADLINE = Duration.ofMinutes(10);

    private final List<String> command;
    private final long deadlineNanos;
    private final LongSupplier nanos;
    private final ToolRun runs;
    private final AtomicReference<@Nullable CompletableFuture<SubstrateStatus>> running = new AtomicReference<>();
    private volatile @Nullable Stuck stuck; // written by the holder of running

    /** A child that was killed and still runs. */
    private record Stuck(Process child, long sinceNanos) {}

    private NvidiaSmi(Builder builder) {
        command = new ArrayList<>(builder.command);
        command.add("--query-gpu=" + String.join(",", NvidiaSmiText.COLUMNS));
        command.add("--format=csv");
        deadlineNanos = builder.deadline.toNanos();
        nanos = builder.nanos;
        runs = new ToolRun(builder.starter, nanos, MAX_BYTES);
    }

    /** Reads by the {@code nvidia-smi} of the search path, with a deadline of 5 s. */
    public static NvidiaSmi create() {
        return builder().build();
    }

    /** A builder with the defaults of {@link #create()}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads the cards now, or takes part in the reading that is under way. Blocks for at most the deadline and about 0.2 s more; an interrupt
     * ends it with the thread's interrupt status set.
     *
     * @return what the tool says; unknown, with the reason, where it says nothing; never throws
     */
    public SubstrateStatus read() {
        CompletableFuture<SubstrateStatus> mine = new CompletableFuture<>();
        CompletableFuture<SubstrateStatus> other = running.compareAndExchange(null, mine);
        return other == null ? ours(mine) : theirs(other);
    }

    private SubstrateStatus ours(CompletableFuture<SubstrateStatus> mine) {
        SubstrateStatus status = NvidiaSmiText.unknown("the reading of nvidia-smi failed");
        try {
            status = asked();
        } finally {
            running.set(null);
            mine.complete(status);
        }
        return status;
    }

    private static SubstrateStatus theirs(CompletableFuture<SubstrateStatus> other) {
        try {
            return other.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return NvidiaSmiText.unknown("interrupted while nvidia-smi ran");
        } catch (ExecutionException never) {
            throw new IllegalStateException("a reading is completed with a status", never);
        }
    }

    private SubstrateStatus asked() {
        Stuck before = stuck;
        if (before != null && before.child().isAlive()) {
            return NvidiaSmiText.unknown("nvidia-smi still runs after "
                    + seconds(nanos.getAsLong() - before.sinceNanos()) + " and cannot be killed");
        }
        if (Thread.currentThread().isInterrupted()) {
            return NvidiaSmiText.unknown("interrupted before nvidia-smi was started");
        }
        stuck = null;
        long start = nanos.getAsLong();
        try {
            ToolRun.End end = runs.run(command, deadlineNanos);
            if (end.child().isAlive()) {
                stuck = new Stuck(end.child(), start);
            }
            return status(end);
        } catch (IOException | RuntimeException notStarted) {
            return NvidiaSmiText.unknown(
                    "no nvidia-smi: " + NvidiaSmiText.clean(String.valueOf(notStarted.getMessage())));
        }
    }

    private SubstrateStatus status(ToolRun.End end) {
        return switch (end.how()) {
            case EXITED -> NvidiaSmiText.read(end.exitCode(), end.output());
            case OVERDUE -> NvidiaSmiText.unknown("nvidia-smi did not end within " + seconds(deadlineNanos));
            case FLOODED -> NvidiaSmiText.unknown("nvidia-smi printed more than " + MAX_BYTES / 1024 + " KiB");
            case INTERRUPTED -> NvidiaSmiText.unknown("interrupted while nvidia-smi ran");
        };
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    @Override
    public String toString() {
        return "NvidiaSmi" + command;
    }

    /** Builds a {@link NvidiaSmi}. Not thread-safe. */
    public static final class Builder {
        private List<String> command = List.of("nvidia-smi");
        private Duration deadline = Duration.ofSeconds(5);
        private LongSupplier nanos = System::nanoTime;
        private ToolRun.Starter starter = ToolRun::child;

        private Builder() {}

        /**
         * What is run, before the arguments of the question: {@code command("docker", "exec", "worker", "nvidia-smi")}. No shell reads it.
         * Default {@code nvidia-smi}, looked for in the search path.
         *
         * @throws IllegalArgumentException if it is empty
         */
        public Builder command(String... words) {
            if (words.length == 0 || words[0].isEmpty()) {
                throw new IllegalArgumentException("command: empty (expected: a program and its first arguments)");
            }
            command = List.of(words);
            return this;
        }

        /** The tool's own place, instead of the search path. */
        public Builder executable(Path tool) {
            return command(tool.toString());
        }

        /**
         * How long the tool may take; default 5 s.
         *
         * @throws IllegalArgumentException if it is not positive, or above 10 minutes
         */
        public Builder deadline(Duration most) {
            if (most.isNegative() || most.isZero() || most.compareTo(MAX_DEADLINE) > 0) {
                throw new IllegalArgumentException(
                        "deadline: " + most + " (expected: > 0, at most " + MAX_DEADLINE + ")");
            }
            deadline = most;
            return this;
        }

        Builder nanos(LongSupplier source) {
            nanos = source;
            return this;
        }

        Builder starter(ToolRun.Starter starts) {
            starter = Objects.requireNonNull(starts, "starter");
            return this;
        }

        /** The reader. Nothing is run yet. */
        public NvidiaSmi build() {
            return new NvidiaSmi(this);
        }
    }
}
