package dev.substraterouter.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.PolicyProblem;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What goes wrong in a file that people write, and what must be said of it. */
public final class Mutations {
    private static final String SIGNS = "[]{}:,-&*!|>'\"%@`#? \n\t";

    private Mutations() {}

    /** The text with up to six bytes changed, copied, turned into signs of YAML, or everything behind them cut off. */
    public static byte[] changedBytes(String text, long seed) {
        Random random = new Random(seed);
        byte[] file = text.getBytes(StandardCharsets.UTF_8);
        for (int change = random.nextInt(6); change >= 0; change--) {
            int at = random.nextInt(file.length);
            switch (random.nextInt(4)) {
                case 0 -> file[at] = (byte) random.nextInt();
                case 1 -> file[at] = file[random.nextInt(file.length)];
                case 2 -> file[at] = (byte) SIGNS.charAt(random.nextInt(SIGNS.length()));
                default -> file = Arrays.copyOf(file, at + 1);
            }
        }
        return file;
    }

    /** The words of a text, with the signs between them. */
    public static String[] words(String text) {
        return text.split("(?<=[ ,\\[\\]{}:])|(?=[ ,\\[\\]{}:])");
    }

    /** Whoever turns a file down says why, and where in it. */
    public static void toldWithPlaces(List<PolicyProblem> problems) {
        assertThat(problems).isNotEmpty().allSatisfy(problem -> {
            assertThat(problem.line()).isPositive();
            assertThat(problem.column()).isPositive();
            assertThat(problem.message()).isNotBlank();
        });
    }

    /** Where a problem is, and of what kind. */
    public static String placed(PolicyProblem problem) {
        return problem.line() + ":" + problem.column() + " " + problem.code() + " " + problem.path();
    }
}
