package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The examples of the format's description, to the letter. */
final class Examples {
    static final String SMALLEST = read("smallest.yaml");
    static final String EVERYTHING = read("everything.yaml");

    private Examples() {}

    /** A policy that need not make sense: what the lint finds in it does not count. */
    static Policy unlinted(String yaml) {
        return YamlPolicy.check(yaml, policy -> List.of()).orThrow("the policy");
    }

    private static String read(String name) {
        try (InputStream in = Objects.requireNonNull(Examples.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
