package dev.substraterouter.probe.http;

import dev.substraterouter.status.GpuStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One card's row.
 *
 * @param cells what it says, by column
 * @param note what is wrong with the row; empty when nothing is
 */
record NvidiaSmiRow(Map<String, String> cells, Optional<String> note) {
    private static final double MIB_PER_GIB = 1024;
    /** At most so many digits: a long one is no figure, and a pattern must not work on it. */
    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]{1,12}(?:\\.[0-9]{1,9})?) ?(%|MiB|C)?");

    private static final Set<String> UNTOLD = Set.of(
            "",
            "n/a",
            "not supported",
            "insufficient permissions",
            "requested functionality has been deprecated",
            "not available");
    private static final Set<String> FAULTS = Set.of("gpu is lost", "gpu requires reset", "err!");

    NvidiaSmiRow {
        cells = Map.copyOf(cells);
    }

    static NvidiaSmiRow of(List<String> columns, List<String> cells) {
        Map<String, String> named = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            named.put(columns.get(i), cells.get(i));
        }
        Optional<String> fault =
                cells.stream().filter(cell -> FAULTS.contains(token(cell))).findFirst();
        return new NvidiaSmiRow(named, fault.map(cell -> cell.replace("[", "").replace("]", "")));
    }

    /** A row that does not fit its columns: only a number that stands first is sure. */
    static NvidiaSmiRow unreadable(List<String> columns, List<String> cells, String why) {
        boolean first = columns.get(0).equals("index");
        return new NvidiaSmiRow(first ? Map.of("index", cells.get(0)) : Map.of(), Optional.of(why));
    }

    /** The cells of a line. */
    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.split(",", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }

    /** The tool's number for the card; -1 when it says none. */
    int index() {
        String cell = cells.getOrDefault("index", "");
        return cell.matches("[0-9]{1,4}") ? Integer.parseInt(cell) : -1;
    }

    /** The card as it is known by this row; what was said but cannot be goes to {@code odd} as well. */
    GpuStatus gpu(int index, Consumer<String> odd) {
        GpuStatus.Builder gpu = GpuStatus.builder(index);
        text("uuid").ifPresent(gpu::uuid);
        text("name").ifPresent(gpu::name);
        if (note.isPresent()) {
            odd.accept("gpu " + index + ": " + note.get());
            return gpu.note(note.get()).build();
        }
        List<String> notes = new ArrayList<>();
        OptionalDouble util = figure("utilization.gpu", "%", notes);
        OptionalDouble used = figure("memory.used", "MiB", notes);
        OptionalDouble total = figure("memory.total", "MiB", notes);
        OptionalDouble temp = figure("temperature.gpu", "C", notes);
        if (total.orElse(1) > 0) {
            util.ifPresent(gpu::utilPct);
            used.ifPresent(mib -> gpu.vramUsedGb(mib / MIB_PER_GIB));
            total.ifPresent(mib -> gpu.vramTotalGb(mib / MIB_PER_GIB));
        } // else a failed reading: there is no card without memory, and the emptiest one must not be one that is broken
        temp.ifPresent(gpu::tempC);
        GpuStatus built = gpu.build();
        leftOut("utilization.gpu", util, built.utilPct(), notes);
        leftOut("memory.used", used, built.vramUsedGb(), notes);
        leftOut("memory.total", total, built.vramTotalGb(), notes);
        leftOut("temperature.gpu", temp, built.tempC(), notes);
        notes.forEach(one -> odd.accept("gpu " + index + ": " + one));
        return notes.isEmpty() ? built : gpu.note(String.join("; ", notes)).build();
    }

    private static void leftOut(String column, OptionalDouble said, OptionalDouble kept, List<String> notes) {
        if (said.isPresent() && kept.isEmpty()) {
            notes.add(column + " " + said.getAsDouble() + " (out of its range, or more used than there is)");
        }
    }

    private Optional<String> text(String column) {
        String cell = cells.getOrDefault(column, "");
        boolean told = !UNTOLD.contains(token(cell)) && !FAULTS.contains(token(cell)) && !isBracketed(cell);
        return told ? Optional.of(NvidiaSmiText.clean(cell)) : Optional.empty();
    }

    private OptionalDouble figure(String column, String unit, List<String> notes) {
        String cell = cells.getOrDefault(column, "");
        Matcher number = NUMBER.matcher(cell);
        if (number.matches() && (number.group(2) == null || number.group(2).equals(unit))) {
            return OptionalDouble.of(Double.parseDouble(number.group(1)) + 0.0); // -0 becomes 0
        }
        if (!UNTOLD.contains(token(cell))) {
            notes.add(column + ": " + NvidiaSmiText.clean(cell.replace("[", "").replace("]", "")));
        }
        return OptionalDouble.empty();
    }

    /** What stands in a cell instead of a value, without the brackets that differ by driver. */
    private static String token(String cell) {
        String inner = isBracketed(cell) ? cell.substring(1, cell.length() - 1) : cell;
        return inner.strip().toLowerCase(Locale.ROOT);
    }

    private static boolean isBracketed(String cell) {
        return cell.length() >= 2 && cell.startsWith("[") && cell.endsWith("]");
    }
}
