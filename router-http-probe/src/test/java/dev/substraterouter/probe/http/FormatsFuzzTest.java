package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.substraterouter.status.SubstrateStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Whatever bytes come, every format gives a possible status or the one declared exception, which holds nothing of them. */
class FormatsFuzzTest {
    private static final List<Integer> CODES = List.of(200, 200, 200, 400, 401, 404, 500, 501, 503);

    @Property(tries = 300)
    void anyBytes(@ForAll @Size(max = 200) byte[] body, @ForAll("paths") String path) {
        for (StatusFormat format : Answers.all()) {
            assertSound(format, 200, path, body);
            assertSound(format, 503, path, body);
        }
    }

    @Property(tries = 300)
    void aFixtureWithDamage(@ForAll("fixtures") FixturesTest.Row row, @ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] body = FixturesTest.resource(row.fixture());
        for (int hit = random.nextInt(8); hit >= 0; hit--) {
            body = damaged(body, random);
        }
        int code = CODES.get(random.nextInt(CODES.size()));
        for (StatusFormat format : Answers.all()) {
            assertSound(format, code, row.path(), body);
        }
    }

    @Property(tries = 300)
    void impossibleNumbersInAFixture(@ForAll("fixtures") FixturesTest.Row row, @ForAll long seed) throws IOException {
        Random random = new Random(seed);
        List<String> numbers = List.of(
                "-1",
                "9223372036854775794",
                "1e32",
                "1e999",
                "-0.0",
                "0.5",
                "2147483648",
                "NaN",
                "null",
                "\"x\"",
                "[]",
                "{}",
                "true");
        String text = new String(FixturesTest.resource(row.fixture()), StandardCharsets.UTF_8);
        String changed = Pattern.compile("(?<=[ :])[0-9][0-9.e+]*")
                .matcher(text)
                .replaceAll(
                        found -> random.nextInt(4) == 0 ? numbers.get(random.nextInt(numbers.size())) : found.group());
        for (StatusFormat format : Answers.all()) {
            assertSound(format, row.code(), row.path(), changed.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Property(tries = 300)
    void linesThatLookLikeMetrics(@ForAll("pages") String page) {
        byte[] body = page.getBytes(StandardCharsets.UTF_8);
        assertThatCode(() -> PrometheusText.read(body, Set.of("a:b", "c"))).doesNotThrowAnyException();
        PrometheusText read = PrometheusText.read((page + "\nc 5\n").getBytes(StandardCharsets.UTF_8), Set.of("c"));
        assertThat(read.samples("c")).extracting(PrometheusText.Sample::value).contains(5.0);
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of(
                "", "/", "//", "/health", "/metrics/", "/v1/loads", "/slots", "/v2/health/ready", "/queue", "/load");
    }

    @Provide
    Arbitrary<FixturesTest.Row> fixtures() throws IOException {
        return Arbitraries.of(FixturesTest.readable().collect(Collectors.toList()));
    }

    @Provide
    Arbitrary<String> pages() {
        Arbitrary<String> piece = Arbitraries.of(
                "a:b", "c", "{", "}", "\"", "\\", "=", ",", " ", "\t", "x", "1", "NaN", "-", "#", "# TYPE ", "\r", "\n",
                "\u0000", "é", "1e5", "x=\"y\"");
        return Combinators.combine(piece.list().ofMaxSize(60), Arbitraries.of("", "\n"))
                .as((pieces, end) -> String.join("", pieces) + end);
    }

    /** A body with an end cut off, a byte changed, a piece twice, or a piece left out. */
    private static byte[] damaged(byte[] body, Random random) {
        int from = random.nextInt(body.length + 1);
        int to = Math.min(body.length, from + random.nextInt(20));
        byte[] start = Arrays.copyOf(body, from);
        return switch (random.nextInt(4)) {
            case 0 -> start;
            case 1 -> joined(start, new byte[] {(byte) random.nextInt(256)}, Arrays.copyOfRange(body, to, body.length));
            case 2 -> joined(start, Arrays.copyOfRange(body, from, to), Arrays.copyOfRange(body, from, body.length));
            default -> joined(start, new byte[0], Arrays.copyOfRange(body, to, body.length));
        };
    }

    private static byte[] joined(byte[] first, byte[] second, byte[] third) {
        byte[] all = Arrays.copyOf(first, first.length + second.length + third.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        System.arraycopy(third, 0, all, first.length + second.length, third.length);
        return all;
    }

    private static void assertSound(StatusFormat format, int code, String path, byte[] body) {
        SubstrateStatus status;
        try {
            status = format.read(new StatusAnswer(code, path, "", body));
        } catch (NoStatusException declared) {
            assertThat(declared.reason()).isNotBlank().hasSizeLessThan(200).doesNotContain("acme");
            return;
        }
        status.gpuUtilMaxPct().ifPresent(value -> assertThat(value).isBetween(0.0, 100.0));
        status.runningJobs().ifPresent(value -> assertThat(value).isNotNegative());
        status.jobs().ifPresent(value -> assertThat(value).isNotNegative());
        status.progress().ifPresent(value -> assertThat(value).isNotNegative().isFinite());
        status.gpus().forEach(gpu -> {
            gpu.utilPct().ifPresent(value -> assertThat(value).isBetween(0.0, 100.0));
            if (gpu.vramUsedGb().isPresent() && gpu.vramTotalGb().isPresent()) {
                assertThat(gpu.vramUsedGb().getAsDouble())
                        .isBetween(0.0, gpu.vramTotalGb().getAsDouble());
            }
        });
        assertThat(status.gpus()).hasSizeLessThanOrEqualTo(SubstrateFormat.MAX_GPUS);
        assertThat(status.oddities()).allSatisfy(odd -> assertThat(odd).doesNotContain("acme"));
    }
}
