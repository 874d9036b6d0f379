package dev.substraterouter.probe.http;

import dev.substraterouter.model.StatusAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where an address' bearer token is kept. Immutable; it never keeps the token, and no exception of it holds a part of one.
 */
final class Token {
    private static final int MAX_LENGTH = 16 * 1024;

    private final Optional<String> variable;
    private final Optional<String> file;
    private final Function<String, @Nullable String> environment;

    Token(StatusAddress address, Function<String, @Nullable String> environment) {
        variable = address.tokenEnv();
        file = address.tokenFile();
        this.environment = environment;
    }

    /** True if reading it may block. */
    boolean isInFile() {
        return variable.isEmpty() && file.isPresent();
    }

    /**
     * The value of the header that carries it, read now; empty when the address needs none. The variable wins over the file.
     *
     * @throws NoStatusException if there should be one and there is not
     */
    Optional<String> header() throws NoStatusException {
        if (variable.isPresent()) {
            String name = variable.get();
            String value = environment.apply(name);
            if (value == null) {
                throw new NoStatusException("auth: environment variable " + name + " is not set");
            }
            return Optional.of(bearer(value, "environment variable " + name));
        }
        return file.isPresent() ? Optional.of(bearer(content(file.get()), "file " + file.get())) : Optional.empty();
    }

    private static String content(String file) throws NoStatusException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return new String(in.readNBytes(MAX_LENGTH + 1), StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException | SecurityException unreadable) {
            throw new NoStatusException("auth: file " + file + " cannot be read");
        }
    }

    /** A header's own check would put the token into its exception, so what a header cannot carry stops here. */
    private static String bearer(String kept, String where) throws NoStatusException {
        String token = kept.strip();
        if (token.isEmpty()) {
            throw new NoStatusException("auth: " + where + " is empty");
        }
        if (token.length() > MAX_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new NoStatusException("auth: " + where + " does not hold a token (expected: one word of ASCII)");
        }
        return "Bearer " + token;
    }

    @Override
    public String toString() {
        return variable.map(name -> "token in variable " + name)
                .or(() -> file.map(path -> "token in file " + path))
                .orElse("no token");
    }
}
