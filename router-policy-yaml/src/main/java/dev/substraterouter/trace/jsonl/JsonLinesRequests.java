package dev.substraterouter.trace.jsonl;

import dev.substraterouter.simulate.Arrivals.Recorded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Requests in a file of JSON lines, for a scenario's {@link dev.substraterouter.simulate.Arrivals#recorded recorded arrivals}. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * {"after_seconds": 0, "workload": "sdxl", "class": "batch", "factor": 1.2}
 * {"after_seconds": 12.5}
 * }</pre>
 *
 * <p>A line has {@code after_seconds}, from the beginning of the record, 0 or above, or {@code ts}, an ISO 8601 instant, of which the first
 * line's is the beginning; and what is known of {@code workload} and {@code class}, whose absence means that they are drawn, and of {@code
 * factor}, the service time as a multiple of the mean, above 0 to 1,000,000. Times do not decrease. Other keys are ignored.
 *
 * <p>The file is read twice: once by {@link #read}, which tells what cannot be read, and again, line by line, by each iteration, as far as it
 * was long when {@code read} began. In memory are one line, and the names of up to {@value #MOST_NAMES} workloads and as many classes.
 */
public final class JsonLinesRequests implements Iterable<Recorded.Request> {
    /** How many workloads, and how many classes, may be named. */
    public static final int MOST_NAMES = 10_000;

    private static final int MOST_TOLD = 1_000;
    private static final double MOST_FACTOR = 1e6;
    private static final double NANOS = 1e9;

    private final Map<Path, Long> files;
    private final Map<String, Long> workloads = new LinkedHashMap<>();
    private final Map<String, Long> classes = new LinkedHashMap<>();
    private final List<JsonLinesTraces.Skipped> skippedLines;
    private final long skipped;
    private final long size;

    private JsonLinesRequests(Map<Path, Long> files) throws IOException {
        this.files = files;
        List<JsonLinesTraces.Skipped> told = new ArrayList<>();
        long bad = 0;
        long good = 0;
        try (LineCursor lines = new LineCursor(files)) {
            Reading reading = new Reading();
            while (lines.next()) {
                try {
                    Recorded.Request request = reading.request(lines.line());
                    count("workload", request.workload(), workloads);
                    count("class", request.requestClass(), classes);
                    good++;
                } catch (IllegalArgumentException e) {
                    bad++;
                    if (told.size() < MOST_TOLD) {
                        told.add(new JsonLinesTraces.Skipped(
                                lines.file(), lines.number(), String.valueOf(e.getMessage())));
                    }
                }
            }
        }
        this.skippedLines = List.copyOf(told);
        this.skipped = bad;
        this.size = good;
    }

    /**
     * The requests in a file. Blocks while it is read.
     *
     * @throws IOException if it cannot be read
     */
    public static JsonLinesRequests read(Path file) throws IOException {
        return new JsonLinesRequests(LineCursor.lengths(file));
    }

    /** How many requests there are. */
    public long size() {
        return size;
    }

    /** How many requests name each workload, in the order in which they come first. */
    public Map<String, Long> workloads() {
        return Collections.unmodifiableMap(workloads);
    }

    /** How many requests name each class, in the order in which they come first. */
    public Map<String, Long> classes() {
        return Collections.unmodifiableMap(classes);
    }

    /** How many lines were skipped, as they are no requests of this format. */
    public long skipped() {
        return skipped;
    }

    /** The lines that were skipped, in order; of more than 1,000, the first 1,000. */
    public List<JsonLinesTraces.Skipped> skippedLines() {
        return skippedLines;
    }

    /**
     * The requests in the order of the file. The file is open until the last of them was taken, or the iterator is collected. Methods of
     * the iterator block and throw {@link UncheckedIOException} if the file cannot be read any more.
     */
    @Override
    public Iterator<Recorded.Request> iterator() {
        return new Requests(new LineCursor(files));
    }

    private static void count(String key, Optional<String> name, Map<String, Long> counts) {
        if (counts.size() >= MOST_NAMES && !name.map(counts::containsKey).orElse(true)) {
            throw new IllegalArgumentException(key + ": one name more than " + MOST_NAMES);
        }
        name.ifPresent(one -> counts.merge(one, 1L, Long::sum));
    }

    private boolean isCounted(Recorded.Request request) {
        return request.workload().map(workloads::containsKey).orElse(true)
                && request.requestClass().map(classes::containsKey).orElse(true);
    }

    /** Turns lines into requests; remembers the time of the first and of the last. */
    private static final class Reading {
        private @Nullable Instant first;
        private double last;

        Recorded.Request request(byte[] line) {
            JsonIn in = JsonIn.line(TraceReader.text(line));
            double after = after(in);
            if (after < last) {
                throw new IllegalArgumentException("earlier than the line before");
            }
            OptionalDouble factor = in.maybeNumber("factor");
            if (factor.isPresent() && !(factor.getAsDouble() > 0 && factor.getAsDouble() <= MOST_FACTOR)) {
                throw new IllegalArgumentException("factor: not above 0");
            }
            Recorded.Request request = new Recorded.Request(after, name(in, "workload"), name(in, "class"), factor);
            last = after;
            return request;
        }

        private double after(JsonIn in) {
            OptionalDouble seconds = in.maybeNumber("after_seconds");
            if (seconds.isEmpty()) {
                Instant at = JsonIn.fitting("ts", in.text("ts"), Instant::parse);
                first = first == null ? at : first;
                return seconds(Duration.between(first, at));
            }
            double after = seconds.getAsDouble();
            if (!(after >= 0 && after < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("after_seconds: not 0 or above");
            }
            return after;
        }

        private static Optional<String> name(JsonIn in, String key) {
            Optional<String> name = in.maybeText(key);
            if (name.filter(String::isEmpty).isPresent()) {
                throw new IllegalArgumentException(key + ": empty");
            }
            return name;
        }
    }

    static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / NANOS;
    }

    private final class Requests extends LineIterator<Recorded.Request> {
        private final Reading reading = new Reading();

        Requests(LineCursor lines) {
            super(lines);
        }

        @Override
        Recorded.@Nullable Request read(LineCursor at) {
            Recorded.Request request = reading.request(at.line());
            return isCounted(request) ? request : null;
        }
    }
}
