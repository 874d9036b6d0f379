package dev.substraterouter.examples.gateway.settings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the gateway is told beside the policy. Immutable.
 *
 * @param clients where clients are listened to
 * @param control where operators are listened to; never the same address and port
 * @param policy the policy file
 * @param tokens by identity the SHA-256 digest of its token, in hexadecimal digits; empty: nobody needs a token
 * @param publicUrl under which address clients reach the clients' listener, for the links that answers hold; empty: the address listened to
 * @param controlUrl under which address operators reach theirs, where that is another than is listened to, behind a proxy
 * @param maxReplay how many bytes of one request's body are kept so that it can be sent again; a larger body goes to one worker only
 * @param maxReplayInAll how many bytes of bodies are kept in all
 * @param connect how long connecting to a worker may take
 * @param stalled for how long a client may take or send nothing while it is its turn
 * @param answer how long a worker may take for an answer that is not streamed: to a tool, to a batch job
 * @param drain how long work that runs may take to end when the gateway is told to
 */
public record GatewaySettings(
        InetSocketAddress clients,
        InetSocketAddress control,
        Path policy,
        Map<String, String> tokens,
        Optional<String> publicUrl,
        Optional<String> controlUrl,
        int maxReplay,
        int maxReplayInAll,
        Duration connect,
        Duration stalled,
        Duration answer,
        Duration drain) {
    /** Copies the tokens. */
    public GatewaySettings {
        tokens = Map.copyOf(tokens);
    }
}
