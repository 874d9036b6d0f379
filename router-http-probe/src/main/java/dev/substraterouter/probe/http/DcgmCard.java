package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One card of dcgm-exporter's page, from all series that name it. A card that is cut into instances (MIG) has a series for each: memory is
 * their sum where every instance tells it, and utilisation is unknown, since what is printed for it then is 0 or nothing. Series that
 * differ in a pod only (a shared card) tell the same and count once.
 */
final class DcgmCard {
    private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
    private static final String TEMP = "DCGM_FI_DEV_GPU_TEMP";
    private static final String USED = "DCGM_FI_DEV_FB_USED";
    private static final String FREE = "DCGM_FI_DEV_FB_FREE";
    private static final String RESERVED = "DCGM_FI_DEV_FB_RESERVED";
    private static final String TOTAL = "DCGM_FI_DEV_FB_TOTAL";
    private static final String ACTIVE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"; // only for the instances it names

    static final List<String> FAMILIES = List.of(TEMP, UTIL, USED, FREE, RESERVED, TOTAL, ACTIVE);

    private static final String WHOLE = "";
    private static final double INT32_BLANK = 0x7ffffff0;
    private static final double DOUBLE_BLANK = 1L << 47; // those of 64 bits are larger still

    private final int number;
    private final @Nullable String uuid;
    private final @Nullable String name;
    private final Set<String> instances = new TreeSet<>();
    private final Map<String, Map<String, Double>> values = new HashMap<>();

    /** The card that a sample names. */
    DcgmCard(PrometheusText.Sample sample) {
        number = Card.number(Decimals.of(sample.label("gpu")).orElse(-1));
        uuid = PrometheusText.said(sample, "UUID", "uuid");
        name = PrometheusText.said(sample, "modelName");
    }

    /** Its number on the node; -1 when it is not told. */
    int number() {
        return number;
    }

    /** One sample of it. */
    void add(String family, PrometheusText.Sample sample) {
        String instance = sample.label("GPU_I_ID").isBlank() ? WHOLE : sample.label("GPU_I_ID");
        if (!instance.equals(WHOLE)) {
            instances.add(instance);
        }
        if (!isBlank(sample.value())) {
            values.computeIfAbsent(family, any -> new HashMap<>()).merge(instance, sample.value(), Math::max);
        }
    }

    private static boolean isBlank(double value) {
        return Double.isNaN(value)
                || (value >= INT32_BLANK && value <= Integer.MAX_VALUE)
                || (value >= DOUBLE_BLANK && !Double.isInfinite(value));
    }

    /** Adds it to a status. */
    void tell(SubstrateStatus.Builder status, int index) {
        Card card = new Card(status, "gpus[" + index + "]", index).uuid(uuid).name(name);
        double used = sum(USED);
        double total = total(used);
        card.tempC(largest(TEMP))
                .utilPct(instances.isEmpty() ? sum(UTIL) : Double.NaN)
                .usedGib(used / Card.MIB_PER_GIB)
                .totalGib(total / Card.MIB_PER_GIB)
                .note(note(total))
                .add();
    }

    private @Nullable String note(double total) {
        if (!instances.isEmpty()) {
            return "MIG: " + instances.size() + " instances, utilisation is not told";
        }
        boolean approximate = !Double.isNaN(total) && !values.containsKey(TOTAL) && !values.containsKey(RESERVED);
        return approximate ? "memory in all is short by what is reserved" : null;
    }

    private double total(double used) {
        if (values.containsKey(TOTAL)) {
            return sum(TOTAL);
        }
        double reserved = values.containsKey(RESERVED) ? sum(RESERVED) : 0;
        return used + sum(FREE) + reserved;
    }

    /** What is told of the whole card; else the sum over its instances, unknown where one of them does not tell. */
    private double sum(String family) {
        Map<String, Double> told = values.getOrDefault(family, Map.of());
        if (told.containsKey(WHOLE)) {
            return told.get(WHOLE);
        }
        return told.isEmpty() || !told.keySet().containsAll(instances)
                ? Double.NaN
                : told.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private double largest(String family) {
        return values.getOrDefault(family, Map.of()).values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(Double.NaN);
    }
}
