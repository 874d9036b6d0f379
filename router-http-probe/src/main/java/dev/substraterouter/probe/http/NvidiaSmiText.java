package dev.substraterouter.probe.http;

import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code nvidia-smi --query-gpu=... --format=csv} printed, with or without its header and units.
 *
 * <p>The tool quotes nothing: a row with another number of cells than there are columns is not shifted into place. Its card is kept as
 * unknown where it may be one; without it the others' sums would pass for the whole. A card that is lost or waits for its reset
 * shows figures of an empty one, so none of its figures is believed. Text that was printed is data: it is shortened, and without control
 * characters.
 *
 * <p>Total: any text gives a status. Stateless and thread-safe.
 */
final class NvidiaSmiText {
    /** The attribute that says how the card is: {@value #FINE}, or what is wrong with it. */
    static final String CARD = "card";

    static final String FINE = "ok";
    static final List<String> COLUMNS =
            List.of("index", "uuid", "name", "utilization.gpu", "memory.used", "memory.total", "temperature.gpu");

    private static final int MAX_TEXT = 160;
    private static final List<String> FAILURES = List.of(
            "failed to initialize nvml",
            "nvidia-smi has failed",
            "no devices were found",
            "unable to determine the device handle",
            "unable to load",
            "couldn't communicate with the nvidia driver");

    private final SubstrateStatus.Builder status = SubstrateStatus.builder();
    private final List<NvidiaSmiRow> rows = new ArrayList<>();
    private final List<String> chatter = new ArrayList<>();
    private List<String> columns = COLUMNS;

    private NvidiaSmiText() {}

    /** The status that the tool's exit code and output make. */
    static SubstrateStatus read(int exitCode, String output) {
        List<String> lines = output.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        Optional<String> failure =
                lines.stream().filter(NvidiaSmiText::isFailure).findFirst();
        if (exitCode != 0) {
            return unknown("nvidia-smi ended with " + exitCode + meaning(exitCode)
                    + failure.or(() -> lines.stream().findFirst())
                            .map(line -> ": " + clean(line))
                            .orElse(""));
        }
        return failure.map(line -> unknown(clean(line))).orElseGet(() -> new NvidiaSmiText().cards(lines));
    }

    /** Nothing is known of the card, for this reason; the worker itself is there. */
    static SubstrateStatus unknown(String reason) {
        return SubstrateStatus.builder()
                .attribute(CARD, reason)
                .odd("card: " + reason)
                .build();
    }

    /** Printed text, safe to show: one line, not long. */
    static String clean(String printed) {
        String line = printed.codePoints()
                .limit(MAX_TEXT)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.strip();
    }

    private static boolean isFailure(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return FAILURES.stream().anyMatch(lower::startsWith);
    }

    /** The vendor's library numbers its failures; the tool ends with that number. */
    private static String meaning(int exitCode) {
        return switch (exitCode) {
            case 9 -> " (driver not loaded)";
            case 12 -> " (driver library not found)";
            case 15 -> " (a GPU fell off the bus)";
            case 18 -> " (driver and library of different versions)";
            default -> "";
        };
    }

    private SubstrateStatus cards(List<String> lines) {
        lines.forEach(this::line);
        if (rows.isEmpty()) {
            return unknown("nvidia-smi listed no card" + (chatter.isEmpty() ? "" : ": " + chatter.get(0)));
        }
        if (rows.size() > SubstrateFormat.MAX_GPUS) {
            return unknown(
                    "nvidia-smi listed " + rows.size() + " cards (expected: at most " + SubstrateFormat.MAX_GPUS + ")");
        }
        boolean numbered = numbered();
        List<GpuStatus> gpus = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            gpus.add(rows.get(i).gpu(numbered ? rows.get(i).index() : i, status::odd));
        }
        gpus.forEach(status::gpu);
        return status.attribute(CARD, state(gpus)).build();
    }

    private void line(String line) {
        List<String> cells = NvidiaSmiRow.cells(line);
        if (isHeader(cells)) {
            columns = cells.stream().map(NvidiaSmiText::column).toList();
        } else if (cells.size() == columns.size() && cells.size() > 1) {
            rows.add(NvidiaSmiRow.of(columns, cells));
        } else {
            misfit(line, cells);
        }
    }

    private void misfit(String line, List<String> cells) {
        NvidiaSmiRow row = NvidiaSmiRow.unreadable(
                columns, cells, "a row of " + cells.size() + " cells (expected: " + columns.size() + ")");
        boolean isCard =
                columns.get(0).equals("index") ? row.index() >= 0 || cells.size() > columns.size() : cells.size() > 1;
        if (isCard) {
            rows.add(row);
        } else {
            chatter.add(clean(line));
            status.odd("nvidia-smi said: " + clean(line));
        }
    }

    private static boolean isHeader(List<String> cells) {
        return cells.stream()
                .map(NvidiaSmiText::column)
                .anyMatch(name -> name.equals("memory.total") || name.equals("utilization.gpu"));
    }

    /** {@code memory.used [MiB]} without its unit. */
    private static String column(String cell) {
        int unit = cell.indexOf('[');
        return (unit < 0 ? cell : cell.substring(0, unit)).strip().toLowerCase(Locale.ROOT);
    }

    /** True if each card has a number of its own; otherwise they are counted as they come. */
    private boolean numbered() {
        Set<Integer> seen = new HashSet<>();
        boolean all = rows.stream().allMatch(row -> row.index() >= 0 && seen.add(row.index()));
        if (!all && columns.contains("index")) {
            status.odd("cards have no index each of their own: counted by position");
        }
        return all;
    }

    private static String state(List<GpuStatus> gpus) {
        Optional<GpuStatus> bad =
                gpus.stream().filter(gpu -> gpu.note().isPresent()).findFirst();
        if (bad.isPresent()) {
            return "gpu " + bad.get().index() + ": " + bad.get().note().get();
        }
        boolean silent = gpus.stream()
                .allMatch(gpu -> gpu.utilPct().isEmpty()
                        && gpu.vramTotalGb().isEmpty()
                        && gpu.tempC().isEmpty());
        return silent ? "no readings" : FINE;
    }
}
