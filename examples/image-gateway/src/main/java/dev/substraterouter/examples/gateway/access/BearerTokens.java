package dev.substraterouter.examples.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the settings file, kept as SHA-256 digests: whoever reads the gateway's memory finds no token. Without any token everybody is
 * {@link Caller#ANYBODY}. Immutable and thread-safe.
 */
public final class BearerTokens implements IdentityResolver {
    private final Map<String, byte[]> digests;

    private BearerTokens(Map<String, byte[]> digests) {
        this.digests = digests;
    }

    /**
     * The resolver of these tokens.
     *
     * @param sha256ByIdentity by identity the SHA-256 digest of its token, in hexadecimal digits
     * @throws IllegalArgumentException if one is not in hexadecimal digits
     */
    public static BearerTokens of(Map<String, String> sha256ByIdentity) {
        Map<String, byte[]> digests = new LinkedHashMap<>();
        sha256ByIdentity.forEach(
                (identity, hex) -> digests.put(identity, HexFormat.of().parseHex(hex)));
        return new BearerTokens(digests);
    }

    /** The digest of a token, as the settings file has it. */
    public static String sha256(String token) {
        return HexFormat.of().formatHex(digest(token));
    }

    @Override
    public Caller resolve(@Nullable String bearerToken) throws UnknownCallerException {
        if (bearerToken == null) {
            if (digests.isEmpty()) {
                return Caller.ANYBODY;
            }
            throw new UnknownCallerException("no bearer token (expected: Authorization: Bearer ...)");
        }
        byte[] presented = digest(bearerToken);
        Caller found = null;
        for (Map.Entry<String, byte[]> one : digests.entrySet()) { // all of them: the time taken tells nothing
            if (MessageDigest.isEqual(one.getValue(), presented)) {
                found = Caller.of(one.getKey());
            }
        }
        if (found == null) {
            throw new UnknownCallerException("unknown bearer token");
        }
        return found;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
