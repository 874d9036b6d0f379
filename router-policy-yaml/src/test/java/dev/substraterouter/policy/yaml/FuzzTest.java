package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.PolicyException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a file holds, it is a policy or a {@link PolicyException} that tells a place in it. */
class FuzzTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final List<String> PIECES = List.of(
            "version",
            "substrates",
            "workloads",
            "roles",
            "a",
            "on",
            "route",
            "pin",
            "status",
            "health",
            "vram_gb",
            "1",
            "1.5",
            "-1",
            "5s",
            "true",
            "null",
            ".nan",
            "~",
            "http://x",
            "'",
            "\"",
            "[",
            "]",
            "{",
            "}",
            ",",
            ": ",
            ":",
            "? ",
            "- ",
            "-",
            "&a ",
            "*a",
            "!",
            "!!int ",
            "|",
            ">",
            "#",
            "%",
            "@",
            "`",
            "---",
            "...",
            "<<",
            "\n",
            "\n  ",
            "\n    ",
            "\r\n",
            "\r",
            "\t",
            " ",
            "\u0000",
            "\u0085",
            "\uFEFF",
            "\uD83D",
            "\u00e4",
            "\\",
            "\\u",
            "\\xZZ",
            "%YAML 1.2\n",
            "%TAG ! x\n",
            "|9-",
            ">+");

    private static void policyOrProblems(byte[] file) {
        assertTimeoutPreemptively(SOON, () -> {
            try {
                YamlPolicy.load(new ByteArrayInputStream(file));
            } catch (PolicyException e) {
                Mutations.toldWithPlaces(e.problems());
            }
        });
    }

    @Provide
    Arbitrary<String> examples() {
        return Arbitraries.of(Examples.SMALLEST, Examples.EVERYTHING);
    }

    @Property(tries = 1_500)
    @Label("examples with changed bytes")
    void changedBytes(@ForAll("examples") String example, @ForAll long seed) {
        policyOrProblems(Mutations.changedBytes(example, seed));
    }

    @Property(tries = 500)
    @Label("examples with lines left out, doubled, moved and shifted")
    void changedLines(@ForAll("examples") String example, @ForAll long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(example.lines().toList());
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(lines.size());
            switch (random.nextInt(5)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
                case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
                case 3 -> lines.set(at, " ".repeat(random.nextInt(6)) + lines.get(at));
                default -> lines.set(at, lines.get(at).stripLeading());
            }
        }
        policyOrProblems(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    @Property(tries = 500)
    @Label("examples with a value replaced by something else")
    void changedValues(@ForAll("examples") String example, @ForAll long seed) {
        Random random = new Random(seed);
        String[] words = Mutations.words(example);
        for (int change = random.nextInt(5); change >= 0; change--) {
            words[random.nextInt(words.length)] = PIECES.get(random.nextInt(PIECES.size()));
        }
        policyOrProblems(String.join("", words).getBytes(StandardCharsets.UTF_8));
    }

    @Provide
    Arbitrary<String> yamlish() {
        return Arbitraries.of(PIECES).list().ofMaxSize(60).map(pieces -> String.join("", pieces));
    }

    @Property(tries = 2_500)
    @Label("text that looks like YAML")
    void yamlishText(@ForAll("yamlish") String yaml) {
        policyOrProblems(yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Property(tries = 300)
    @Label("text that is anything, read as a text and as bytes")
    void anything(@ForAll String text, @ForAll byte[] bytes) {
        policyOrProblems(bytes);
        assertTimeoutPreemptively(SOON, () -> {
            try {
                YamlPolicy.parse(text);
            } catch (PolicyException expected) {
                assertThat(expected.problems()).isNotEmpty();
            }
        });
    }
}
