package dev.substraterouter.examples.gateway;

import dev.substraterouter.examples.gateway.access.Caller;
import dev.substraterouter.examples.gateway.mcp.McpStdio;
import dev.substraterouter.examples.gateway.settings.SettingsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the gateway until it is told to end; then it drains. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        description = {
            "Runs the gateway until it is told to end (SIGTERM, SIGINT), and lets the work that runs end first.",
            "With --mcp-stdio it speaks MCP on standard input and output as well, and ends when its input does."
        })
final class ServeCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(paramLabel = "SETTINGS", description = "The settings file.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    @Option(names = "--mcp-stdio", description = "Speaks MCP on standard input and output too.")
    private boolean stdio;

    @Option(
            names = "--as",
            paramLabel = "IDENTITY",
            description = "Who asks on standard input, as the policy's roles name it; default: nobody in particular.")
    private @Nullable String identity;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (identity != null && !stdio) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--as: " + identity + " (expected: together with --mcp-stdio)");
        }
        Gateway gateway = Gateway.start(SettingsFile.load(file, System::getenv));
        Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "gateway-shutdown"));
        say("clients: " + Gateway.url(gateway.clients()));
        say("control: " + Gateway.url(gateway.control()));
        if (stdio) {
            try (McpStdio mcp = gateway.onStandardStreams(identity == null ? Caller.ANYBODY : Caller.of(identity))) {
                mcp.awaitEnd();
            }
        } else {
            new CountDownLatch(1).await();
        }
        return CommandLine.ExitCode.OK;
    }

    private void say(String line) {
        PrintWriter to = stdio
                ? spec.commandLine().getErr() // standard output belongs to MCP
                : spec.commandLine().getOut();
        to.println(line);
        to.flush();
    }
}
