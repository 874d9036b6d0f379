package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is said of one substrate, for example {@code busy,temp:60}: a status that starts idle, cool and empty, and what no status tells. For
 * one thread.
 */
final class Said {
    static final String WORDS = "idle, busy, loaded, hot, full, silent, stale, cordoned, ejected";
    static final String FIGURES =
            "util, other_util, used, free, total, temp, running, queued, ready, model, attribute.NAME";

    private static final String ATTRIBUTE = "attribute.";
    private static final double COOL_C = 40;

    private final Substrate substrate;
    private final HealthLimits limits;
    private final Set<Condition> conditions = EnumSet.noneOf(Condition.class);
    private final SubstrateStatus.Builder status = SubstrateStatus.builder();
    private final SaidMemory memory;

    private Said(Substrate substrate, HealthLimits limits) {
        this.substrate = substrate;
        this.limits = limits;
        memory = new SaidMemory(substrate);
    }

    /**
     * What some words say.
     *
     * @throws IllegalArgumentException if one of them is not known, or cannot be said of this substrate
     */
    static Said of(Substrate substrate, HealthLimits limits, String words) {
        Said said = new Said(substrate, limits);
        said.idle();
        Stream.of(words.split(",", -1)).map(String::strip).forEach(said::say);
        said.refuseContradictions();
        said.memory.tell(said.status);
        return said;
    }

    boolean is(Condition condition) {
        return conditions.contains(condition);
    }

    SubstrateStatus status() {
        return status.build();
    }

    private void idle() {
        status.gpuUtilPct(0).gpuTempC(Math.min(COOL_C, limits.maxGpuTempC() - limits.gpuTempMarginC() - 1));
        status.runningJobs(0).queuedJobs(0);
        limits.requireAttributes().forEach(status::attribute);
    }

    private void say(String word) {
        int colon = word.indexOf(':');
        if (colon < 0) {
            word(word);
        } else {
            figure(word.substring(0, colon).strip(), word.substring(colon + 1).strip());
        }
    }

    private void word(String word) {
        switch (word.toLowerCase(Locale.ROOT)) {
            case "idle" -> {}
            case "busy" -> busy();
            case "loaded" -> status.gpuUtilPct(limits.maxGpuUtilPct());
            case "hot" -> status.gpuTempC(limits.maxGpuTempC());
            case "full" -> memory.full(word);
            default -> conditions.add(condition(word));
        }
    }

    private Condition condition(String word) {
        return Stream.of(Condition.values())
                .filter(condition -> condition.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> wrong(word, "one of " + WORDS + ", or a figure such as util:93"));
    }

    private void busy() {
        status.runningJobs(substrate
                .maxConcurrentJobs()
                .orElseThrow(() -> wrong("busy", "max_concurrent_jobs in the policy, or another word")));
    }

    private void figure(String key, String value) {
        switch (key.toLowerCase(Locale.ROOT)) {
            case "util" -> number(key, value, status::gpuUtilPct);
            case "other_util" -> number(key, value, status::gpuUtilOtherPct);
            case "used" -> memory.used(key + ":" + value, number(key, value));
            case "free" -> memory.free(key + ":" + value, number(key, value));
            case "total" -> memory.total(key + ":" + value, number(key, value));
            case "temp" -> number(key, value, status::gpuTempC);
            case "running" -> number(key, value, jobs -> status.runningJobs(whole(key, jobs)));
            case "queued" -> number(key, value, jobs -> status.queuedJobs(whole(key, jobs)));
            case "ready" -> status.reachable(flag(key, value));
            case "model" -> status.loadedModels(value);
            default -> attribute(key, value);
        }
    }

    private void attribute(String key, String value) {
        if (!key.startsWith(ATTRIBUTE) || key.length() == ATTRIBUTE.length()) {
            throw wrong(key + ":" + value, "one of " + FIGURES);
        }
        status.attribute(key.substring(ATTRIBUTE.length()), value);
    }

    /** A figure that cannot be is refused: it would count as unknown, which was not said. */
    private void number(String key, String value, DoubleConsumer set) {
        double number = number(key, value);
        int before = oddities().size();
        set.accept(number);
        List<String> odd = oddities();
        if (odd.size() > before) {
            throw new IllegalArgumentException(substrate.id() + ": " + odd.get(odd.size() - 1));
        }
    }

    private List<String> oddities() {
        return status.build().oddities();
    }

    private double number(String key, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw wrong(key + ":" + value, "a number");
        }
    }

    private int whole(String key, double number) {
        if (number != Math.rint(number) || !(number >= 0 && number <= Integer.MAX_VALUE)) {
            throw wrong(key + ":" + number, "a whole number, 0 or more");
        }
        return (int) number;
    }

    private boolean flag(String key, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw wrong(key + ":" + value, "true or false");
        }
        return value.equals("true");
    }

    private void refuseContradictions() {
        Set<Condition> exclusive = EnumSet.of(Condition.SILENT, Condition.STALE, Condition.EJECTED);
        exclusive.retainAll(conditions);
        if (exclusive.size() > 1) {
            String all = exclusive.stream()
                    .map(condition -> condition.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(","));
            throw wrong(all, "one of them");
        }
    }

    private IllegalArgumentException wrong(String said, String expected) {
        return new IllegalArgumentException(substrate.id() + ": '" + said + "' (expected: " + expected + ")");
    }
}
