package dev.substraterouter.examples.quickstart;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Real workers on this machine: a pin, then three routes through good times and bad, then needs, roles and a rented machine. Ends with code 0
 * when everything went as expected, else with 1.
 */
public final class Quickstart {
    private static final Logger ROUTER_LOG = Logger.getLogger("dev.substraterouter");

    private Quickstart() {}

    /** Plays the story. */
    public static void main(String[] arguments) throws Exception {
        ROUTER_LOG.setLevel(Level.WARNING); // the story tells what the router's INFO lines would
        int code;
        try (Worker mirrorforge = Worker.mirrorforge();
                Worker legion = Worker.legion();
                Worker rented = Worker.rented()) {
            code = play(System.out, mirrorforge, legion, rented);
        }
        System.exit(code);
    }

    /** Plays the story with the given workers, and returns the exit code. */
    static int play(PrintStream out, Worker mirrorforge, Worker legion, Worker rented)
            throws IOException, InterruptedException {
        try (Story story = new Story(out)) {
            out.printf("Time is compressed %d : 1: a job of 40 s takes 400 ms.%n", Worker.COMPRESSION);
            out.printf("mirrorforge works at %s, legion at %s%n", mirrorforge.endpoint(), legion.endpoint());
            try {
                new PinAct(story, mirrorforge).play();
                new RouteAct(story, policy("routing.yaml", mirrorforge, legion), mirrorforge, legion).play();
                Policy needs = policy("needs.yaml", mirrorforge, legion, rented);
                new NeedAct(story, needs, mirrorforge, legion).play();
                story.summary();
                return 0;
            } catch (Story.Broken broken) {
                story.broken(String.valueOf(broken.getMessage()));
                return 1;
            }
        }
    }

    /** The policy of a file; a host whose addresses are fixed says {@code YamlPolicy.load(path)}. */
    static Policy policy(String file, Worker... workers) throws IOException {
        String text;
        try (InputStream in = Objects.requireNonNull(Quickstart.class.getResourceAsStream("/" + file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Worker worker : workers) {
            text = worker.putAddressesIn(text);
        }
        return YamlPolicy.parse(text);
    }
}
