package dev.substraterouter.internal.gate;

import dev.substraterouter.internal.gate.Reading.GpuReading;
import dev.substraterouter.internal.gate.Reading.Memory;
import dev.substraterouter.internal.gate.Reading.Text;
import dev.substraterouter.internal.gate.Reading.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Merges what several sources say of one substrate, field by field: where tellings within one polling interval of the newest disagree, the
 * worst counts; an older one only fills a gap.
 */
final class Merge {
    private final List<Reading> readings;
    private final long interval;
    private final long turn;

    private Merge(List<Reading> readings, long interval, long turn) {
        this.readings = readings;
        this.interval = interval;
        this.turn = turn;
    }

    /**
     * One reading of several.
     *
     * @param interval tellings at most so far from the newest are of its time
     * @param turn how long a source may take until it is heard again: until then its word that the substrate is not ready stands
     */
    static Reading of(List<Reading> readings, long interval, long turn) {
        return readings.size() == 1 ? readings.get(0) : new Merge(readings, interval, turn).merged();
    }

    private Reading merged() {
        Reading newest = readings.get(0);
        for (Reading reading : readings) {
            if (reading.at() - newest.at() > 0) {
                newest = reading;
            }
        }
        boolean ready = true;
        boolean doubtful = false;
        boolean moved = false;
        String objection = null;
        Map<String, Text> attributes = Map.of();
        Reading models = null;
        for (Reading reading : readings) {
            boolean current = newest.at() - reading.at() <= interval;
            ready &= reading.ready() || newest.at() - reading.at() > turn;
            doubtful |= reading.doubtful() && current;
            moved |= reading.moved() && current;
            objection = current && reading.objection() != null ? reading.objection() : objection;
            if (reading.models() != null && (models == null || reading.modelsAt() - models.modelsAt() > 0)) {
                models = reading;
            }
            attributes = Reading.newest(attributes, reading.attributes());
        }
        Reading cards = cards();
        @Nullable Set<String> names = models == null ? null : models.models();
        return new Reading(
                "merged",
                newest.asked(),
                newest.at(),
                newest.status(),
                ready,
                worst(Reading::jobs),
                worst(Reading::util),
                worst(Reading::temp),
                memory(),
                cards == null ? Reading.NO_GPUS : cards.gpus(),
                cards == null ? 0 : cards.gpusAt(),
                names,
                models == null ? 0 : models.modelsAt(),
                attributes,
                doubtful,
                moved,
                objection,
                0); // each source is suspected by itself
    }

    private Told worst(Function<Reading, Told> field) {
        Told newest = Told.NOTHING;
        for (Reading reading : readings) {
            Told told = field.apply(reading);
            if (told.known() && (!newest.known() || told.at() - newest.at() > 0)) {
                newest = told;
            }
        }
        double worst = newest.value();
        for (Reading reading : readings) {
            Told told = field.apply(reading);
            if (told.known() && newest.at() - told.at() <= interval) {
                worst = Math.max(worst, told.value());
            }
        }
        return new Told(worst, newest.at());
    }

    private Memory memory() {
        Memory newest = Memory.NOTHING;
        for (Reading reading : readings) {
            Memory told = reading.memory();
            if (told.known() && (!newest.known() || told.at() - newest.at() > 0)) {
                newest = told;
            }
        }
        long foreign = newest.foreign();
        long used = newest.used();
        long total = newest.total();
        for (Reading reading : readings) {
            Memory told = reading.memory();
            if (told.known() && newest.at() - told.at() <= interval) {
                foreign = Math.max(foreign, told.foreign());
                used = Math.max(used, told.used());
                total = Math.min(total, told.total());
            }
        }
        return new Memory(foreign, used, total, newest.at());
    }

    /** The newest reading with cards, made worse by the others of its time that tell as many. */
    private @Nullable Reading cards() {
        Reading newest = null;
        for (Reading reading : readings) {
            if (!reading.gpus().isEmpty() && (newest == null || reading.gpusAt() - newest.gpusAt() > 0)) {
                newest = reading;
            }
        }
        if (newest == null) {
            return null;
        }
        List<GpuReading> worst = new ArrayList<>(newest.gpus());
        for (Reading reading : readings) {
            boolean comparable =
                    reading.gpus().size() == worst.size() && newest.gpusAt() - reading.gpusAt() <= interval;
            for (int gpu = 0; comparable && gpu < worst.size(); gpu++) {
                worst.set(gpu, worse(worst.get(gpu), reading.gpus().get(gpu)));
            }
        }
        return newest.withGpus(List.copyOf(worst));
    }

    private static GpuReading worse(GpuReading one, GpuReading other) {
        return new GpuReading(
                one.index(),
                worse(one.util(), other.util()),
                worse(one.temp(), other.temp()),
                Math.max(one.foreign(), other.foreign()),
                Math.min(one.total(), other.total()));
    }

    private static double worse(double one, double other) {
        return Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.max(one, other);
    }
}
