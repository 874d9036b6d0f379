package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.management.ThreadMXBean;
import dev.substraterouter.internal.yaml.Mutations;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.WatchedFile.Look;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever a file holds, it is a policy or a {@link PolicyException} that tells a place in it. */
class FuzzTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final long MOST_ALLOCATED = 32L << 20;
    private static final long MOST_KEPT = 4L << 20;

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

    /** Reads, checks and lints a file; what it is, load and check say alike. */
    private static void policyOrProblems(byte[] file) {
        assertTimeoutPreemptively(SOON, () -> {
            PolicyCheckup checkup = YamlPolicy.check(file);
            try {
                Policy policy = YamlPolicy.load(new ByteArrayInputStream(file));
                assertThat(checkup.policy()).contains(policy);
            } catch (PolicyException e) {
                Mutations.toldWithPlaces(e.problems());
                assertThat(checkup.errors()).isEqualTo(e.problems());
            }
        });
    }

    @Property(tries = 100)
    @Label("a watched file that becomes anything")
    void watched(@ForAll("examples") String example, @ForAll List<@From("seeds") Long> seeds) throws IOException {
        Path file = Files.createTempFile("fuzz", ".yaml");
        try {
            Files.writeString(file, example);
            WatchedFile watched = new WatchedFile(file);
            watched.load();
            for (long seed : seeds) {
                Files.write(file, Mutations.changedBytes(example, seed));
                assertTimeoutPreemptively(SOON, () -> settled(watched));
            }
            assertThat(watched.good()).isPresent();
        } finally {
            Files.delete(file);
        }
    }

    @Provide
    Arbitrary<Long> seeds() {
        return Arbitraries.longs();
    }

    private static void settled(WatchedFile watched) {
        Look first = watched.look();
        assertThat(first).isInstanceOfAny(Look.Same.class, Look.Unsettled.class);
        Look second = watched.look();
        if (first instanceof Look.Unsettled) {
            assertThat(second).isInstanceOfAny(Look.Good.class, Look.Bad.class);
        }
        if (second instanceof Look.Bad bad) {
            Mutations.toldWithPlaces(bad.problem().problems());
        }
        assertThat(watched.look()).isEqualTo(new Look.Same());
    }

    /** Allocated is counted for each input; what is kept, by the heap after a collection. */
    @Test
    @DisplayName("no input costs more than a bounded amount of memory, and none of it is kept")
    void memory() {
        long before = 0;
        for (int seed = 0; seed < 4_000; seed++) {
            byte[] file = Mutations.changedBytes(seed % 2 == 0 ? Examples.SMALLEST : Examples.EVERYTHING, seed);
            long allocated = Memory.allocated();
            YamlPolicy.check(file);
            assertThat(Memory.allocated() - allocated)
                    .as("bytes for seed %s", seed)
                    .isLessThan(MOST_ALLOCATED);
            if (seed == 1_000) {
                before = Memory.kept(); // by then everything that is loaded once is loaded
            }
        }
        assertThat(Memory.kept() - before).as("bytes kept by 3,000 inputs").isLessThan(MOST_KEPT);
    }

    /** What this thread has allocated, and what the process keeps. */
    private static final class Memory {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        static long allocated() {
            return THREADS.getCurrentThreadAllocatedBytes();
        }

        static long kept() {
            long least = Long.MAX_VALUE;
            for (int collection = 0; collection < 5; collection++) {
                System.gc();
                least = Math.min(
                        least,
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
            return least;
        }
    }

    @Provide
    Arbitrary<String> examples() {
        return Arbitraries.of(Examples.SMALLEST, Examples.EVERYTHING);
    }

    @Property(tries = 300)
    @Label("examples with changed bytes")
    void changedBytes(@ForAll("examples") String example, @ForAll long seed) {
        policyOrProblems(Mutations.changedBytes(example, seed));
    }

    @Property(tries = 300)
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

    @Property(tries = 300)
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

    @Property(tries = 800)
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
