package dev.substraterouter.examples.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.Main;

/** The entry of the benchmark jar: JMH's own command line. */
public final class Benchmarks {
    private Benchmarks() {}

    /** Runs what the arguments say. */
    public static void main(String[] args) throws IOException {
        Main.main(args);
    }
}
