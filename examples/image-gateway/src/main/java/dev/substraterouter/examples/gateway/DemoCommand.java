package dev.substraterouter.examples.gateway;

import dev.substraterouter.examples.gateway.demo.SimulatedWorker;
import dev.substraterouter.examples.gateway.settings.SettingsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the gateway before two simulated workers. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        description = "Runs the gateway before two simulated workers on this machine, and says what to try.")
final class DemoCommand implements Callable<Integer> {
    private static final Logger POLICY_LOG = Logger.getLogger("dev.substraterouter.policy");

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Option(
            names = "--clients",
            paramLabel = "PORT",
            defaultValue = "8090",
            description = "The clients' port; default ${DEFAULT-VALUE}; 0: any free one.")
    private int clients;

    @Option(
            names = "--control",
            paramLabel = "PORT",
            defaultValue = "8091",
            description = "The operators' port; default ${DEFAULT-VALUE}; 0: any free one.")
    private int control;

    @Override
    public Integer call() throws IOException, InterruptedException {
        // Everything runs on this machine here, which a policy is warned of elsewhere.
        POLICY_LOG.setFilter(line -> !line.getMessage().contains("[router-on-substrate]"));
        Path folder = Files.createTempDirectory("image-gateway-demo");
        try (SimulatedWorker mirrorforge = new SimulatedWorker("mirrorforge", 64, 12, 2, Duration.ofSeconds(6));
                SimulatedWorker legion = new SimulatedWorker("legion", 32, 12, 1, Duration.ofSeconds(2))) {
            Files.writeString(folder.resolve("policy.yaml"), policy(mirrorforge, legion));
            Path settings = Files.writeString(folder.resolve("gateway.yaml"), """
                    listen: { clients: "127.0.0.1:%d", control: "127.0.0.1:%d" }
                    policy: policy.yaml
                    """.formatted(clients, control));
            Gateway gateway = Gateway.start(SettingsFile.load(settings, System::getenv));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(gateway, folder), "gateway-shutdown"));
            gateway.router().awaitReady(Duration.ofSeconds(10));
            tell(gateway, folder, legion);
            new CountDownLatch(1).await();
        }
        return CommandLine.ExitCode.OK;
    }

    private static void end(Gateway gateway, Path folder) {
        gateway.close();
        try {
            Files.deleteIfExists(folder.resolve("gateway.yaml"));
            Files.deleteIfExists(folder.resolve("policy.yaml"));
            Files.deleteIfExists(folder);
        } catch (IOException kept) {
            throw new UncheckedIOException("the demo's files stay in " + folder, kept);
        }
    }

    private void tell(Gateway gateway, Path folder, SimulatedWorker legion) {
        String at = Gateway.url(gateway.clients());
        say("clients: " + at);
        say("control: " + Gateway.url(gateway.control()) + " (a page to look at)");
        say("policy:  " + folder.resolve("policy.yaml") + " (edit it while this runs)");
        say("");
        say("Try, in another terminal:");
        say("  curl -s -D - " + at + "/v1/workloads/flux-fill -d 'a lighthouse in the fog' -o lighthouse.svg");
        say("  curl -s -X POST '" + legion.endpoint()
                + "/busy?util=93'   # somebody plays on legion; ask again, and see who draws");
        say("  curl -s " + at + "/v1/gap -H 'Content-Type: application/json' \\");
        say(
                "    -d '{\"query\": \"a fox, in watercolours\", \"gap_description\": \"needs a CUDA card with at least 24 GB\"}'");
        spec.commandLine().getOut().flush();
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }

    private static String policy(SimulatedWorker mirrorforge, SimulatedWorker legion) {
        return """
                version: 1
                poll: { every: 1s, timeout: 500ms }
                health: { stale_after: 5s }
                network: { control: [127.0.0.0/8], data: [127.0.0.0/8] }
                substrates:
                  mirrorforge:
                    { endpoint: "%s", status: "%s", hardware: 2 x V100 32 GB, capabilities: [cuda], vram_gb: 64, gpus: 2, max_concurrent_jobs: 2 }
                  legion:
                    { endpoint: "%s", status: "%s", hardware: RTX 5090 32 GB, capabilities: [cuda], vram_gb: 32, max_concurrent_jobs: 1 }
                workloads:
                  flux-fill: { vram_gb: 12, route: [ { on: legion, model: flux1-fill, expected_latency: 2s },
                                                     { on: mirrorforge, model: flux1-fill, expected_latency: 6s } ] }
                  sdxl:      { vram_gb: 8, route: [mirrorforge, legion] }
                  upscale:   { vram_gb: 6, pin: mirrorforge }
                """.formatted(mirrorforge.endpoint(), mirrorforge.status(), legion.endpoint(), legion.status());
    }
}
