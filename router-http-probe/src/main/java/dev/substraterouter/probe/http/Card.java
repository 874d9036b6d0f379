package dev.substraterouter.probe.http;

import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of one card, until all of it is known. {@code NaN} is what is not told. A value that cannot be is unknown, and the
 * status says so; a card that has no memory at all, or uses more than it has, has told nothing of its memory.
 */
final class Card {
    static final double BYTES_PER_GIB = 1L << 30;
    static final double MIB_PER_GIB = 1_024;
    private static final double MOST_GIB = 1 << 20;
    private static final int MOST_NUMBER = 1_000_000;

    private final SubstrateStatus.Builder status;
    private final String path;
    private final GpuStatus.Builder gpu;
    private double utilPct = Double.NaN;
    private double usedGib = Double.NaN;
    private double totalGib = Double.NaN;
    private double tempC = Double.NaN;

    /** The card with this number, said at this place of the body. */
    Card(SubstrateStatus.Builder status, String path, int index) {
        this.status = status;
        this.path = path;
        this.gpu = GpuStatus.builder(index);
    }

    /** The number of a card; -1 for what is none. */
    static int number(double said) {
        return said >= 0 && said <= MOST_NUMBER && said == Math.rint(said) ? (int) said : -1;
    }

    /** The numbers of cards as they are said, if each has one of its own; else their positions. */
    static int[] numbers(int... said) {
        boolean sound =
                IntStream.of(said).filter(number -> number >= 0).distinct().count() == said.length;
        return sound ? said : IntStream.range(0, said.length).toArray();
    }

    Card utilPct(double value) {
        utilPct = value;
        return this;
    }

    Card usedGib(double value) {
        usedGib = value;
        return this;
    }

    Card totalGib(double value) {
        totalGib = value;
        return this;
    }

    Card tempC(double value) {
        tempC = value;
        return this;
    }

    Card uuid(@Nullable String value) {
        if (value != null) {
            gpu.uuid(Figures.name(value));
        }
        return this;
    }

    Card name(@Nullable String value) {
        if (value != null) {
            gpu.name(Figures.name(value));
        }
        return this;
    }

    Card note(@Nullable String value) {
        if (value != null) {
            gpu.note(value);
        }
        return this;
    }

    /** Adds the card to the status. */
    void add() {
        gpu.utilPct(checked("util_pct", utilPct, 0, 100));
        gpu.tempC(checked("temp_c", tempC, -50, 200));
        double used = checked("vram_used_gb", usedGib, 0, MOST_GIB);
        double total = checked("vram_total_gb", totalGib, Double.MIN_VALUE, MOST_GIB);
        boolean impossibleTotal = Double.isNaN(total) && !Double.isNaN(totalGib);
        if (used > total) {
            status.odd(path + " vram_used_gb " + used + " > vram_total_gb " + total);
        } else if (!impossibleTotal) {
            gpu.vramUsedGb(used).vramTotalGb(total);
        }
        status.gpu(gpu.build());
    }

    private double checked(String name, double value, double least, double most) {
        if (Double.isNaN(value) || (value >= least && value <= most)) {
            return value;
        }
        status.odd(path + " " + name + " " + value + " (expected: "
                + (least == Double.MIN_VALUE ? "above 0" : Long.toString((long) least)) + " to " + (long) most + ")");
        return Double.NaN;
    }
}
