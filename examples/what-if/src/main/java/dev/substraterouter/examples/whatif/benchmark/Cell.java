package dev.substraterouter.examples.whatif.benchmark;

import java.util.List;

/**
 * A kind of traffic.
 *
 * @param perHour how many requests come in an hour, in the mean
 * @param bursty whether they come in bursts
 */
public record Cell(int perHour, boolean bursty) {
    /** Half, one and one and a half times 180 requests an hour, Poisson first. */
    public static final List<Cell> ALL =
            List.of(poisson(90), poisson(180), poisson(270), bursty(90), bursty(180), bursty(270));

    /** Poisson arrivals. */
    public static Cell poisson(int perHour) {
        return new Cell(perHour, false);
    }

    /** The same number in bursts, in which some come in groups. */
    public static Cell bursty(int perHour) {
        return new Cell(perHour, true);
    }

    /** Those without bursts. */
    static List<Cell> allPoisson() {
        return ALL.stream().filter(cell -> !cell.bursty).toList();
    }

    @Override
    public String toString() {
        return perHour + (bursty ? "/h bursty" : "/h Poisson");
    }
}
