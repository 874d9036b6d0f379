package dev.substraterouter.examples.gateway;

import dev.substraterouter.examples.gateway.access.BearerTokens;
import dev.substraterouter.examples.gateway.settings.SettingsException;
import dev.substraterouter.policy.PolicyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line of the gateway. Ends with 0 when all went well, 1 when something did not, 2 when it was called wrongly. */
@Command(
        name = "image-gateway",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        description = "One endpoint, HTTP and MCP, that hides which substrate serves.",
        subcommands = {ServeCommand.class, DemoCommand.class, NftablesCommand.class, ImageGateway.TokenCommand.class},
        footer = {"", "Exit codes: 0 all went well; 1 something did not; 2 called wrongly."})
public final class ImageGateway {
    /** Held, because a logger that nobody holds forgets what it was told. What libraries say of themselves is of no use to a user. */
    private static final List<Logger> LIBRARIES =
            List.of(Logger.getLogger("org.eclipse.jetty"), Logger.getLogger("io.modelcontextprotocol"));

    private ImageGateway() {}

    /** Runs a command. */
    public static void main(String[] arguments) {
        // A connection to a worker that idles is soon closed by it; one that was closed must not look like a fault.
        if (System.getProperty("jdk.httpclient.keepalive.timeout") == null) {
            System.setProperty("jdk.httpclient.keepalive.timeout", "5");
        }
        LIBRARIES.forEach(logger -> logger.setLevel(Level.WARNING));
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new ImageGateway()).setExecutionExceptionHandler(ImageGateway::told);
    }

    /** What a user can mend is told in a line. */
    private static int told(Exception failed, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (failed instanceof NoSuchFileException missing) {
            command.getErr().println(missing.getFile() + ": no such file");
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (failed instanceof SettingsException || failed instanceof PolicyException || failed instanceof IOException) {
            command.getErr().println(failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        throw failed;
    }

    /** Tells the digest of a token, for the settings file. */
    @Command(
            name = "token-digest",
            mixinStandardHelpOptions = true,
            description = "Reads a token from standard input and prints its digest for the settings file.")
    static final class TokenCommand implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // set before it is called
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            @Nullable String token = in.readLine();
            if (token == null || token.isBlank()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "no token on standard input (expected: one line)");
            }
            spec.commandLine().getOut().println(BearerTokens.sha256(token.strip()));
            return CommandLine.ExitCode.OK;
        }
    }
}
