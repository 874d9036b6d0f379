package dev.substraterouter.simulate.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.substraterouter.internal.yaml.Mutations;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/** Whatever a file holds, it is a scenario or a {@link ScenarioException} that tells a place in it. */
class ScenarioFuzzTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String EXAMPLE = withoutFiles();
    private static final List<String> PIECES = List.of(
            "version",
            "on",
            "off",
            "at",
            "from",
            "always",
            "arrivals",
            "observed",
            "observed_file",
            "recorded",
            "traces",
            "crash",
            "router",
            "0",
            "1",
            "1.5",
            "-1",
            "1e9",
            "1e-7",
            "5s",
            "0s",
            "999999999999h",
            "true",
            "null",
            ".nan",
            ".inf",
            "~",
            "''",
            "[",
            "]",
            "{",
            "}",
            ",",
            ": ",
            "- ",
            "&a ",
            "*a",
            "!!int ",
            "|",
            "#",
            "\n",
            "\n  ",
            "\u0000",
            "\uD83D",
            "99999999999999999999");

    private static String withoutFiles() {
        try (InputStream in = Objects.requireNonNull(ScenarioFuzzTest.class.getResourceAsStream("everything.yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("#.*", "")
                    .replaceAll(
                            "recorded: requests.jsonl \\}", "poisson: { per_hour: 5 } }\n    workloads: { sdxl: 1 }")
                    .replace("observed_file: sdxl-times.txt", "observed: [7s, 6800ms]");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void scenarioOrProblems(byte[] file) {
        assertTimeoutPreemptively(SOON, () -> {
            try {
                YamlScenario.load(new ByteArrayInputStream(file));
            } catch (ScenarioException e) {
                Mutations.toldWithPlaces(e.problems());
            }
        });
    }

    @Property(tries = 1)
    @Label("the example itself is a scenario")
    void unchanged() {
        assertThat(YamlScenario.parse(EXAMPLE).faults()).hasSize(5);
    }

    @Property(tries = 1_000)
    @Label("the example with changed bytes")
    void changedBytes(@ForAll long seed) {
        scenarioOrProblems(Mutations.changedBytes(EXAMPLE, seed));
    }

    @Property(tries = 500)
    @Label("the example with lines left out, doubled, moved and shifted")
    void changedLines(@ForAll long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(EXAMPLE.lines().toList());
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(lines.size());
            switch (random.nextInt(4)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
                case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
                default ->
                    lines.set(at, " ".repeat(random.nextInt(6)) + lines.get(at).stripLeading());
            }
        }
        scenarioOrProblems(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    @Property(tries = 1_500)
    @Label("the example with words replaced")
    void changedWords(@ForAll long seed) {
        Random random = new Random(seed);
        String[] words = Mutations.words(EXAMPLE);
        for (int change = random.nextInt(4); change >= 0; change--) {
            words[random.nextInt(words.length)] = random.nextBoolean()
                    ? PIECES.get(random.nextInt(PIECES.size()))
                    : words[random.nextInt(words.length)];
        }
        scenarioOrProblems(String.join("", words).getBytes(StandardCharsets.UTF_8));
    }
}
