package dev.substraterouter.examples.statusagent;

import dev.substraterouter.probe.http.NvidiaSmi;
import dev.substraterouter.probe.http.StatusServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Serves this machine's {@code /status} until it is interrupted. Without a GPU, or without the vendor's tool, it runs as well: the figures
 * are unknown then, and the attribute {@code card} says why.
 *
 * <p>Ends with 0 when it was stopped, 1 when it cannot listen, 2 when it is called wrongly.
 */
@Command(
        name = "status-agent",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        sortOptions = false,
        description = "Serves this machine's /status for substrate routers, read through the GPU vendor's tool.",
        footer = {"", "Exit codes: 0 stopped; 1 cannot listen; 2 called wrongly."})
public final class StatusAgent implements Callable<Integer> {
    /** Readings are of the card alone, which changes slowly beside what the tool costs. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final UnaryOperator<@Nullable String> environment;
    private final Consumer<StatusServer> untilStopped;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = ListenAddress.class,
            defaultValue = "127.0.0.1:9100",
            description = "Where to listen; default ${DEFAULT-VALUE}; port 0: any free one.")
    @SuppressWarnings("NullAway.Init") // has a default
    private InetSocketAddress listen;

    @Option(
            names = "--any-address",
            description = "Allows an address that means every address of this machine, as 0.0.0.0 does.")
    private boolean anyAddress;

    @Option(
            names = "--token-env",
            paramLabel = "NAME",
            description = "The environment variable that holds the bearer token to ask for; default: none is needed.")
    private @Nullable String tokenEnv;

    @Option(
            names = "--nvidia-smi",
            paramLabel = "PATH",
            description = "The vendor's tool; default: the nvidia-smi of the search path.")
    private @Nullable Path tool;

    @Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "How long the tool may take, 1 to 30; default ${DEFAULT-VALUE}.")
    private int deadlineSeconds;

    /** An agent of this environment that serves until the given consumer returns. */
    StatusAgent(UnaryOperator<@Nullable String> environment, Consumer<StatusServer> untilStopped) {
        this.environment = environment;
        this.untilStopped = untilStopped;
    }

    /** Serves until the JVM is told to end. */
    public static void main(String[] arguments) {
        System.exit(commandLine(System::getenv, StatusAgent::forEver).execute(arguments));
    }

    static CommandLine commandLine(UnaryOperator<@Nullable String> environment, Consumer<StatusServer> untilStopped) {
        return new CommandLine(new StatusAgent(environment, untilStopped));
    }

    private static void forEver(StatusServer server) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Integer call() {
        NvidiaSmi card = card();
        StatusServer.Builder builder = server(card);
        try (StatusServer server = builder.start(listen)) {
            out("serving http://" + shown(server.address()) + StatusServer.PATH);
            out("card: " + card.read().attributes().getOrDefault("card", "unknown"));
            untilStopped.accept(server);
            return CommandLine.ExitCode.OK;
        } catch (IOException taken) {
            spec.commandLine().getErr().println("cannot listen at " + shown(listen) + ": " + taken.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private NvidiaSmi card() {
        if (deadlineSeconds < 1 || deadlineSeconds > 30) {
            throw usage("--deadline: " + deadlineSeconds + " (expected: 1 to 30)");
        }
        NvidiaSmi.Builder card = NvidiaSmi.builder().deadline(Duration.ofSeconds(deadlineSeconds));
        return tool == null ? card.build() : card.executable(tool).build();
    }

    private StatusServer.Builder server(NvidiaSmi card) {
        if (listen.getAddress().isAnyLocalAddress() && !anyAddress) {
            throw usage("--listen: " + shown(listen)
                    + " is every address of this machine (expected: one address, or --any-address)");
        }
        // Longer than the tool may take: how long to wait is for the router's probe to say.
        Duration answer = Duration.ofSeconds(deadlineSeconds).plus(FRESH);
        StatusServer.Builder server = StatusServer.builder(card::read)
                .anyAddress(anyAddress)
                .freshFor(FRESH)
                .answerWithin(answer);
        return tokenEnv == null ? server : server.token(token(tokenEnv));
    }

    /** Asked for and not there must not mean that everybody may ask. */
    private String token(String variable) {
        String token = environment.apply(variable);
        if (token == null || token.isBlank()) {
            throw usage("--token-env: " + variable
                    + " is not set (expected: the name of an environment variable with the token)");
        }
        return token.strip();
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static String shown(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private void out(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
