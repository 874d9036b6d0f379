package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Node;
import dev.substraterouter.simulate.replay.TraceReplay;
import dev.substraterouter.trace.jsonl.JsonLinesRequests;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the files are that a scenario names; nowhere when it does not come from a file itself. */
final class Folder {
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_TOLD = 10;
    private static final BigDecimal LONGEST_SECONDS =
            BigDecimal.valueOf(Duration.ofDays(3650).toSeconds());
    private static final Pattern A_TIME = Pattern.compile("([0-9]{1,10}(?:\\.[0-9]{1,9})?)(ms|s|m|h)?");

    private final @Nullable Path directory;

    private Folder(@Nullable Path directory) {
        this.directory = directory;
    }

    /** Of a scenario that may not name files. */
    static Folder none() {
        return new Folder(null);
    }

    /** The one in which a scenario's file is. */
    static Folder of(Path scenario) {
        return new Folder(scenario.toAbsolutePath().getParent());
    }

    /** Observed service times: one a line. */
    Optional<List<Duration>> times(Node node, At at) {
        return file(node, at, file -> times(file, node, at));
    }

    /** A file of recorded requests. */
    Optional<Recording> requests(Node node, At at) {
        return file(node, at, file -> {
            JsonLinesRequests requests = JsonLinesRequests.read(file);
            requests.skippedLines().stream().limit(MOST_TOLD).forEach(line -> bad(node, at, line.line(), line.why()));
            if (requests.skipped() > MOST_TOLD) {
                at.report(
                        "bad-record", node.place(), shown(node, at) + ": " + requests.skipped() + " bad lines in all");
            }
            if (requests.skipped() > 0) {
                return Optional.empty();
            }
            return requests.size() == 0
                    ? at.refuse("bad-record", node, shown(node, at), "a file with at least one request")
                    : Optional.of(new Recording(requests, requests.workloads(), requests.classes()));
        });
    }

    /** A file or directory of the router's own traces. */
    Optional<TraceReplay> traces(Node node, At at) {
        return file(node, at, file -> {
            TraceReplay replay = TraceReplay.read(file);
            return replay.size() == 0
                    ? at.refuse("bad-record", node, shown(node, at), "traces with at least one request for a workload")
                    : Optional.of(replay);
        });
    }

    private interface Reading<V> {
        Optional<V> of(Path file) throws IOException;
    }

    private <V> Optional<V> file(Node node, At at, Reading<V> reading) {
        Optional<String> name = Ranges.NAME.read(node, at);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        if (directory == null) {
            return at.refuse("no-folder", node, "no file, as the scenario does not come from one itself");
        }
        try {
            return reading.of(directory.resolve(name.get()));
        } catch (InvalidPathException e) {
            return at.refuse("unreadable", node, "the name of a file");
        } catch (IOException e) {
            String why = e.getClass().getSimpleName();
            return at.refuse("unreadable", node, node.shown() + ": " + why, "a file that can be read");
        }
    }

    private static Optional<List<Duration>> times(Path file, Node node, At at) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            return at.refuse("too-large", node, "a file of at most 1 MiB");
        }
        List<Duration> times = new ArrayList<>();
        int before = at.problems().count();
        long number = 0;
        for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
            number++;
            Optional<Duration> time = time(line.strip());
            if (time.isPresent()) {
                times.add(time.get());
            } else if (!line.isBlank() && at.problems().count() < before + MOST_TOLD) {
                bad(node, at, number, "no time above 0, such as 40, 39.8 or 40s");
            }
        }
        if (at.problems().count() > before) {
            return Optional.empty();
        }
        return times.isEmpty() ? at.refuse("bad-record", node, "a file with at least one time") : Optional.of(times);
    }

    private static Optional<Duration> time(String text) {
        Matcher matcher = A_TIME.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        BigDecimal factor =
                switch (unit) {
                    case "ms" -> new BigDecimal("0.001");
                    case "m" -> BigDecimal.valueOf(60);
                    case "h" -> BigDecimal.valueOf(3600);
                    default -> BigDecimal.ONE;
                };
        BigDecimal seconds = new BigDecimal(matcher.group(1)).multiply(factor);
        Duration time = seconds.compareTo(LONGEST_SECONDS) > 0
                ? Duration.ZERO
                : Duration.ofNanos(seconds.movePointRight(9).longValue());
        return Optional.of(time).filter(span -> !span.isZero());
    }

    private static void bad(Node node, At at, long line, String why) {
        at.report("bad-record", node.place(), shown(node, at) + ", line " + line + ": " + why);
    }

    private static String shown(Node node, At at) {
        return at.label() + " " + node.shown();
    }
}
