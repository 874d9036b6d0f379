package dev.substraterouter.trace.jsonl;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Observation;
import dev.substraterouter.trace.Outcome;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RefusalReason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.trace.ServingPath;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Random traces, of the nasty sort: half characters, figures that are none, the longest durations and the first and last instants. */
final class TraceArbitraries {
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "null",
            "\n",
            "\r\n",
            "\u0000\u001f\u007f",
            "\"\\/",
            "{}",
            "\u2028\u0085",
            "\uD83D",
            "\uDE00\uD83D",
            "\uD83D\uDE00",
            "größer",
            "\uFFFE");
    private static final List<Double> DOUBLES = List.of(
            0.0,
            -0.0,
            0.1,
            1e-300,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            -1.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY);
    private static final List<Duration> DURATIONS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(-1),
            Duration.ofSeconds(100),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE));
    private static final List<Instant> INSTANTS =
            List.of(Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(1_700_000_000, 1));

    private final Random random;

    private TraceArbitraries(long seed) {
        random = new Random(seed);
    }

    /** Traces. */
    static Arbitrary<RoutingTrace> traces() {
        return Arbitraries.longs().map(seed -> new TraceArbitraries(seed).trace());
    }

    /** Observations. */
    static Arbitrary<Observation> observations() {
        return Arbitraries.longs().map(seed -> new TraceArbitraries(seed).observation());
    }

    /** A trace; the same for the same seed. */
    static RoutingTrace trace(long seed) {
        return new TraceArbitraries(seed).trace();
    }

    private RoutingTrace trace() {
        return new RoutingTrace(
                text(),
                text(),
                maybe(this::need),
                maybe(this::text),
                maybe(this::text),
                word(Priority.class),
                list(this::text).stream().distinct().collect(Collectors.toMap(Function.identity(), any -> text())),
                oneOf(INSTANTS, () -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000))),
                random.nextLong(),
                list(this::attempt),
                list(this::considered),
                maybe(() -> word(RefusalReason.class)),
                duration(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                maybe(this::observation),
                random.nextBoolean(),
                maybe(this::text));
    }

    private Attempt attempt() {
        return new Attempt(
                random.nextInt(),
                list(this::considered),
                text(),
                random.nextBoolean(),
                maybe(() -> URI.create(oneOf(
                        List.of("http://x:1/a?b=%C3%A4#c", "urn:isbn:1", "", "http://[::1]/"),
                        () -> "https://h" + random.nextInt(1_000)))),
                maybe(this::text),
                maybe(this::text),
                maybe(this::text),
                word(PlacementMode.class),
                word(ServingPath.class),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt()),
                list(() -> word(DegradedReason.class)).stream().collect(Collectors.toSet()),
                random.nextLong(),
                duration(),
                maybe(this::duration),
                random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(number()),
                word(Outcome.class),
                maybe(this::text));
    }

    private Considered considered() {
        return new Considered(text(), random.nextBoolean(), list(() -> new Finding(word(Reason.class), text())));
    }

    private Need need() {
        Need.Builder builder = Need.builder().spansGpus(random.nextBoolean());
        list(this::name).forEach(builder::capabilities);
        list(this::name).forEach(builder::reaches);
        maybe(this::name).ifPresent(builder::codebase);
        maybe(() -> 1e-9 + random.nextDouble()).ifPresent(builder::vramGb);
        maybe(() -> word(Trust.class)).ifPresent(builder::privacy);
        maybe(() -> oneOf(List.of(-0.0, 0.0, 1.0), random::nextDouble)).ifPresent(builder::minQuality);
        maybe(() -> oneOf(List.of(-0.0, Double.MAX_VALUE), random::nextDouble)).ifPresent(builder::maxCost);
        maybe(() -> oneOf(List.of(-0.0, 1.0), random::nextDouble)).ifPresent(builder::minAvailability);
        maybe(() -> Duration.ofNanos(1 + random.nextInt(Integer.MAX_VALUE))).ifPresent(builder::maxLatency);
        maybe(() -> Duration.ofNanos(1 + random.nextInt(Integer.MAX_VALUE))).ifPresent(builder::duration);
        return builder.build();
    }

    private Observation observation() {
        Observation.Builder builder = Observation.builder();
        maybe(() -> oneOf(List.of(-0.0, 0.0, 1.0), random::nextDouble)).ifPresent(builder::quality);
        maybe(random::nextBoolean).ifPresent(builder::reviewed);
        maybe(() -> oneOf(List.of(-0.0, Double.MAX_VALUE), random::nextDouble)).ifPresent(builder::cost);
        maybe(() -> oneOf(List.of(-0.0, 0x1p20), random::nextDouble)).ifPresent(builder::vramGb);
        return builder.build();
    }

    private String name() {
        return oneOf(List.of("Text_Gen", "ΑΣ", "İ", "a b", "\uD83D\n\u0000x"), () -> "n" + random.nextInt(100));
    }

    private String text() {
        return oneOf(TEXTS, () -> IntStream.range(0, random.nextInt(8))
                .mapToObj(any -> String.valueOf((char) random.nextInt(1 << 16)))
                .collect(Collectors.joining()));
    }

    private double number() {
        return oneOf(DOUBLES, () -> Double.longBitsToDouble(random.nextLong()));
    }

    private Duration duration() {
        return oneOf(DURATIONS, () -> Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000)));
    }

    private <E extends Enum<E>> E word(Class<E> type) {
        E[] constants = type.getEnumConstants();
        return constants[random.nextInt(constants.length)];
    }

    private <T> T oneOf(List<T> some, Supplier<T> other) {
        return random.nextBoolean() ? some.get(random.nextInt(some.size())) : other.get();
    }

    private <T> Optional<T> maybe(Supplier<T> value) {
        return random.nextBoolean() ? Optional.empty() : Optional.of(value.get());
    }

    private <T> List<T> list(Supplier<T> item) {
        return Stream.generate(item).limit(random.nextInt(4)).toList();
    }
}
