package dev.substraterouter.probe.http;

import dev.substraterouter.status.SubstrateStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Figures that several formats tell, checked on their way into a status; a figure that is not told stays unknown. */
final class Figures {
    private static final int MAX_NAME = 256;

    /** A share of the KV cache in use, 0 to 1. It is neither utilisation nor memory in use. */
    static final String KV_CACHE = "kv_cache_used_ratio";

    private static final double LATEST_MILLIS = 253_402_300_800_000.0; // the year 10000

    private Figures() {}

    /** Sets a count, unless it is none. */
    static void count(SubstrateStatus.Builder status, String name, double value, IntConsumer set) {
        if (value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value)) {
            set.accept((int) value);
        } else {
            status.odd(name + " " + value + " (expected: a whole number >= 0)");
        }
    }

    /** Sets a count where the page has it: the sum over its series, without those that say the same again. */
    static void count(
            SubstrateStatus.Builder status,
            PrometheusText page,
            Set<String> replicas,
            IntConsumer set,
            String... names) {
        if (page.told(names)) {
            count(status, names[0], page.sum(replicas, names), set);
        }
    }

    /** The fullest KV cache of the page's series, as an attribute. */
    static void kvCache(SubstrateStatus.Builder status, PrometheusText page, String... names) {
        if (!page.told(names)) {
            return;
        }
        double ratio = page.max(names);
        if (ratio >= 0 && ratio <= 1) {
            status.attribute(KV_CACHE, Double.toString(ratio));
        } else {
            status.odd(names[0] + " " + ratio + " (expected: 0 to 1)");
        }
    }

    /** A counter of work done: the sum of all series of those names that the page has; unknown when it has none. */
    static void progress(SubstrateStatus.Builder status, PrometheusText page, String... names) {
        double sum = 0;
        boolean told = false;
        for (String name : names) {
            for (PrometheusText.Sample sample : page.samples(name)) {
                told = true;
                sum += sample.value();
            }
        }
        if (told && Double.isFinite(sum)) {
            status.progress(sum);
        }
    }

    /** When the last request came, in milliseconds since 1970; 0 is never, and what is no time is not told. */
    static void lastRequest(SubstrateStatus.Builder status, double millis) {
        if (millis > 0 && millis < LATEST_MILLIS) {
            status.lastRequest(Instant.ofEpochMilli((long) millis));
        }
    }

    /** The models in memory, as many as are kept of a list. */
    static void models(SubstrateStatus.Builder status, List<String> names) {
        int most = SubstrateFormat.MAX_MODELS;
        if (names.size() > most) {
            status.odd("models: " + names.size() + " (expected: at most " + most + "; the rest is left out)");
        }
        status.loadedModels(names.stream().limit(most).map(Figures::name).toList());
    }

    /** A name that a server gave, on one line and not too long. */
    static String name(String said) {
        String line = said.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= MAX_NAME ? line : line.substring(0, MAX_NAME);
    }
}
