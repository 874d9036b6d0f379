package dev.substraterouter.status;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What a substrate says of one of its GPUs. Immutable and thread-safe; what is not said is empty, never zero. */
public final class GpuStatus {
    private final int index;
    private final OptionalDouble utilPct;
    private final OptionalDouble vramUsedGb;
    private final OptionalDouble vramTotalGb;
    private final OptionalDouble tempC;
    private final Optional<String> uuid;
    private final Optional<String> name;
    private final Optional<String> note;

    private GpuStatus(Builder builder) {
        index = builder.index;
        utilPct = SubstrateStatus.optional(builder.utilPct);
        vramUsedGb = SubstrateStatus.optional(builder.vramUsedGb);
        vramTotalGb = SubstrateStatus.optional(builder.vramTotalGb);
        tempC = SubstrateStatus.optional(builder.tempC);
        uuid = Optional.ofNullable(builder.uuid);
        name = Optional.ofNullable(builder.name);
        note = Optional.ofNullable(builder.note);
    }

    /** A builder for the GPU with the given index, counted from 0 as the worker counts. */
    public static Builder builder(int index) {
        return new Builder(index);
    }

    /** The worker's number for it, from 0. */
    public int index() {
        return index;
    }

    /** Utilisation in percent. */
    public OptionalDouble utilPct() {
        return utilPct;
    }

    /** Memory used, GiB. */
    public OptionalDouble vramUsedGb() {
        return vramUsedGb;
    }

    /** Memory in all, GiB. */
    public OptionalDouble vramTotalGb() {
        return vramTotalGb;
    }

    /** Temperature, °C. */
    public OptionalDouble tempC() {
        return tempC;
    }

    /** The card's own identity, where the worker tells it. */
    public Optional<String> uuid() {
        return uuid;
    }

    /** The card's name, where the worker tells it. */
    public Optional<String> name() {
        return name;
    }

    /** What is wrong with the card or with what was said of it, in words; empty: nothing. */
    public Optional<String> note() {
        return note;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GpuStatus that
                && index == that.index
                && utilPct.equals(that.utilPct)
                && vramUsedGb.equals(that.vramUsedGb)
                && vramTotalGb.equals(that.vramTotalGb)
                && tempC.equals(that.tempC)
                && uuid.equals(that.uuid)
                && name.equals(that.name)
                && note.equals(that.note);
    }

    @Override
    public int hashCode() {
        return Objects.hash(index, utilPct, vramUsedGb, vramTotalGb, tempC, uuid);
    }

    @Override
    public String toString() {
        return "gpu " + index + " [util " + utilPct + ", vram " + vramUsedGb + "/" + vramTotalGb + ", temp " + tempC
                + note.map(said -> ", " + said).orElse("") + "]";
    }

    /** Builds a {@link GpuStatus}. Not thread-safe. Values outside their range count as unknown. */
    public static final class Builder {
        private final int index;
        private double utilPct = Double.NaN;
        private double vramUsedGb = Double.NaN;
        private double vramTotalGb = Double.NaN;
        private double tempC = Double.NaN;
        private @Nullable String uuid;
        private @Nullable String name;
        private @Nullable String note;

        private Builder(int index) {
            this.index = index;
        }

        /** Utilisation, 0 to 100 percent. */
        public Builder utilPct(double value) {
            utilPct = SubstrateStatus.inRange(value, 0, 100);
            return this;
        }

        /** Memory used, GiB. */
        public Builder vramUsedGb(double value) {
            vramUsedGb = SubstrateStatus.inRange(value, 0, SubstrateStatus.MAX_GB);
            return this;
        }

        /** Memory in all, GiB. */
        public Builder vramTotalGb(double value) {
            vramTotalGb = SubstrateStatus.inRange(value, 0, SubstrateStatus.MAX_GB);
            return this;
        }

        /** Temperature, -50 to 200 °C. */
        public Builder tempC(double value) {
            tempC = SubstrateStatus.inRange(value, -50, 200);
            return this;
        }

        /** The card's own identity. */
        public Builder uuid(String value) {
            uuid = Objects.requireNonNull(value, "uuid");
            return this;
        }

        /** The card's name. */
        public Builder name(String value) {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /** What is wrong with the card or with what was said of it, for people. */
        public Builder note(String value) {
            note = Objects.requireNonNull(value, "note");
            return this;
        }

        /** The status; a GPU that uses more memory than it has is taken to have told neither. */
        public GpuStatus build() {
            if (vramUsedGb > vramTotalGb) {
                vramUsedGb = Double.NaN;
                vramTotalGb = Double.NaN;
            }
            return new GpuStatus(this);
        }
    }
}
