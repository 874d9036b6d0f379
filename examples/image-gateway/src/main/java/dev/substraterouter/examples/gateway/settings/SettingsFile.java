package dev.substraterouter.examples.gateway.settings;

import dev.substraterouter.examples.gateway.access.BearerTokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads {@link GatewaySettings} from a YAML file:
 *
 * <pre>{@code
 * listen: { clients: "127.0.0.1:8090", control: "127.0.0.1:8091" }   # a wildcard needs allow_wildcard: true
 * policy: policy.yaml                                                # beside this file
 * identities:                                                        # absent: nobody needs a token
 *   ops-anna: { token_env: ANNA_TOKEN }                              # or token_sha256: 64 hexadecimal digits
 * public_url: https://images.example                                 # absent: the clients' address; needed for a wildcard
 * control_url: https://ops.example                                   # absent: the operators' address
 * replay: { max_kb: 1024, max_in_all_mb: 16 }
 * timeouts: { connect: 2s, stalled: 30s, answer: 15m, drain: 30s }
 * }</pre>
 *
 * <p>The values shown under {@code listen}, {@code replay} and {@code timeouts} are the defaults. Unknown and duplicate keys are errors.
 */
public final class SettingsFile {
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:]+):([0-9]{1,5})");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final int MAX_PORT = 65_535;
    private static final int KIB = 1024;
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path file;
    private final UnaryOperator<@Nullable String> environment;

    private SettingsFile(Path file, UnaryOperator<@Nullable String> environment) {
        this.file = file;
        this.environment = environment;
    }

    /**
     * Reads a file.
     *
     * @param environment the value of an environment variable by its name; null when it is not set
     * @throws IOException if it cannot be read
     * @throws SettingsException if it says what cannot be used
     */
    public static GatewaySettings load(Path file, UnaryOperator<@Nullable String> environment) throws IOException {
        return new SettingsFile(file, environment).read(Files.readString(file));
    }

    private GatewaySettings read(String text) {
        Root root = parsed(text);
        Listen listen = root.listen == null ? new Listen(null, null, null) : root.listen;
        Replay replay = root.replay == null ? new Replay(null, null) : root.replay;
        Timeouts timeouts = root.timeouts == null ? new Timeouts(null, null, null, null) : root.timeouts;
        boolean wildcard = Boolean.TRUE.equals(listen.allowWildcard);
        InetSocketAddress clients = address("listen.clients", listen.clients, "127.0.0.1:8090", wildcard);
        InetSocketAddress control = address("listen.control", listen.control, "127.0.0.1:8091", wildcard);
        if (clients.equals(control) && clients.getPort() != 0) {
            throw wrong("listen.control", shown(control), "another port than listen.clients");
        }
        if (clients.getAddress().isAnyLocalAddress() && root.publicUrl == null) {
            throw wrong("public_url", "absent", "the address by which clients reach a wildcard: it stands in links");
        }
        if (root.policy == null || root.policy.isBlank()) {
            throw wrong("policy", "absent", "the policy file, named from the folder of this one");
        }
        return new GatewaySettings(
                clients,
                control,
                file.toAbsolutePath().resolveSibling(root.policy).normalize(),
                tokens(root.identities == null ? Map.of() : root.identities),
                Optional.ofNullable(root.publicUrl).map(url -> url("public_url", url)),
                Optional.ofNullable(root.controlUrl).map(url -> url("control_url", url)),
                between("replay.max_kb", replay.maxKb, 1024, 0, 65_536) * KIB,
                between("replay.max_in_all_mb", replay.maxInAllMb, 16, 0, 1024) * KIB * KIB,
                duration("timeouts.connect", timeouts.connect, "2s"),
                duration("timeouts.stalled", timeouts.stalled, "30s"),
                duration("timeouts.answer", timeouts.answer, "15m"),
                duration("timeouts.drain", timeouts.drain, "30s"));
    }

    private Root parsed(String text) {
        try {
            JsonNode tree = YAML.readTree(text);
            boolean empty = tree.isMissingNode() || tree.isNull(); // nothing, or comments only
            if (tree.has("identities") && tree.get("identities").isEmpty()) {
                // tokens that were commented out must not open the door to everybody
                throw wrong("identities", "empty", "at least one, or no such key: then nobody needs a token");
            }
            return empty ? new Root(null, null, null, null, null, null, null) : YAML.readValue(text, Root.class);
        } catch (JacksonException e) {
            String path = e instanceof DatabindException bind ? bind.getPathReference() : "";
            String where = e.getLocation() == null
                    ? ""
                    : ":" + e.getLocation().getLineNr() + ":" + e.getLocation().getColumnNr();
            throw new SettingsException(
                    file + where + ": " + e.getOriginalMessage() + (path.isEmpty() ? "" : " at " + key(path)));
        }
    }

    /** {@code a.B["listen"]->a.C["clients"]} as {@code listen.clients}. */
    private static String key(String path) {
        return Pattern.compile("\\[\"?([^\"\\]]+)\"?]")
                .matcher(path)
                .results()
                .map(found -> found.group(1))
                .reduce((left, right) -> left + "." + right)
                .orElse(path);
    }

    private Map<String, String> tokens(Map<String, Identity> identities) {
        Map<String, String> tokens = new LinkedHashMap<>();
        Map<String, String> owners = new LinkedHashMap<>();
        identities.forEach((name, identity) -> {
            String digest = digest("identities." + name, identity).toLowerCase(Locale.ROOT);
            String other = owners.putIfAbsent(digest, name);
            if (other != null) {
                throw wrong("identities." + name, "the token of " + other, "a token of its own");
            }
            tokens.put(name, digest);
        });
        return tokens;
    }

    private String digest(String key, @Nullable Identity identity) {
        if (identity == null || (identity.tokenEnv == null) == (identity.tokenSha256 == null)) {
            throw wrong(key, String.valueOf(identity), "one of token_env and token_sha256");
        }
        if (identity.tokenSha256 != null) {
            return sha256(key + ".token_sha256", identity.tokenSha256);
        }
        String token = environment.apply(identity.tokenEnv);
        if (token == null || token.isBlank()) {
            // not set must not mean that anybody may ask, or that nobody can and none knows why
            throw wrong(
                    key + ".token_env",
                    identity.tokenEnv + ", which is not set",
                    "an environment variable with the token");
        }
        return BearerTokens.sha256(token.strip());
    }

    private String sha256(String key, String said) {
        if (!SHA256.matcher(said).matches()) {
            throw wrong(key, said.length() + " characters", "64 hexadecimal digits");
        }
        return said;
    }

    private InetSocketAddress address(String key, @Nullable String said, String otherwise, boolean wildcard) {
        String text = said == null ? otherwise : said;
        Matcher parts = HOST_AND_PORT.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MAX_PORT) {
            throw wrong(key, text, "HOST:PORT, for example " + otherwise);
        }
        InetAddress host;
        try {
            host = InetAddress.getByName(parts.group(1));
        } catch (UnknownHostException unknown) {
            throw wrong(key, text, "an address of this machine; there is no such host");
        }
        if (host.isAnyLocalAddress() && !wildcard) {
            throw wrong(key, text + ", which is every address of this machine", "one address, or allow_wildcard: true");
        }
        return new InetSocketAddress(host, Integer.parseInt(parts.group(2)));
    }

    private String url(String key, String said) {
        try {
            URI url = URI.create(said);
            if (url.getHost() != null && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                return said.endsWith("/") ? said.substring(0, said.length() - 1) : said;
            }
        } catch (IllegalArgumentException unreadable) {
            throw wrong(key, said, "an http or https address: " + unreadable.getMessage());
        }
        throw wrong(key, said, "an http or https address");
    }

    private Duration duration(String key, @Nullable String said, String otherwise) {
        String text = said == null ? otherwise : said;
        try {
            Duration duration = Durations.parse(text);
            if (!duration.isZero()) {
                return duration;
            }
        } catch (IllegalArgumentException unreadable) {
            throw wrong(key, text, "a duration above zero, for example 500ms, 5s, 2m");
        }
        throw wrong(key, text, "a duration above zero, for example 500ms, 5s, 2m");
    }

    private int between(String key, @Nullable Integer said, int otherwise, int least, int most) {
        int value = said == null ? otherwise : said;
        if (value < least || value > most) {
            throw wrong(key, Integer.toString(value), least + " to " + most);
        }
        return value;
    }

    private SettingsException wrong(String key, String value, String expected) {
        return new SettingsException(file + ": " + key + ": " + value + " (expected: " + expected + ")");
    }

    private static String shown(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    record Root(
            @Nullable Listen listen,
            @Nullable String policy,
            @Nullable Map<String, Identity> identities,
            @Nullable String publicUrl,
            @Nullable String controlUrl,
            @Nullable Replay replay,
            @Nullable Timeouts timeouts) {}

    record Listen(
            @Nullable String clients,
            @Nullable String control,
            @Nullable Boolean allowWildcard) {}

    record Identity(@Nullable String tokenEnv, @Nullable String tokenSha256) {
        @Override
        public String toString() {
            return tokenEnv == null && tokenSha256 == null ? "neither" : "both";
        }
    }

    record Replay(@Nullable Integer maxKb, @Nullable Integer maxInAllMb) {}

    record Timeouts(
            @Nullable String connect,
            @Nullable String stalled,
            @Nullable String answer,
            @Nullable String drain) {}
}
