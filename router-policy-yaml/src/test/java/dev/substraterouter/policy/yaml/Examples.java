package dev.substraterouter.policy.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The examples of the format's description, to the letter. */
final class Examples {
    static final String SMALLEST = read("smallest.yaml");
    static final String EVERYTHING = read("everything.yaml");

    private Examples() {}

    private static String read(String name) {
        try (InputStream in = Objects.requireNonNull(Examples.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
