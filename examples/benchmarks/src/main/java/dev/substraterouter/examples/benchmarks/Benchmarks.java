package dev.substraterouter.examples.benchmarks;

import dev.substraterouter.examples.benchmarks.goals.GoalsCommand;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.Main;

/** The entry of the benchmark jar: the goals with {@code --goals}, what there is with {@code --help}, else JMH's own command line. */
public final class Benchmarks {
    private Benchmarks() {}

    /** Runs what the arguments say. */
    public static void main(String[] args) throws IOException {
        List<String> given = List.of(args);
        if (given.contains("--goals") || given.contains("--help")) {
            System.exit(GoalsCommand.run(args));
        }
        Main.main(args);
    }
}
