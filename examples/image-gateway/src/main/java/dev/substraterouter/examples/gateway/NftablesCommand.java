package dev.substraterouter.examples.gateway;

import dev.substraterouter.examples.gateway.deploy.NftablesRules;
import dev.substraterouter.examples.gateway.settings.GatewaySettings;
import dev.substraterouter.examples.gateway.settings.SettingsFile;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints firewall rules. */
@Command(
        name = "nftables",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 100,
        description = "Prints nftables rules from the policy's network scopes: ... nftables gateway.yaml | nft -f -")
final class NftablesCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before it is called
    private CommandSpec spec;

    @Parameters(paramLabel = "SETTINGS", description = "The settings file, which names the policy.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "image-gateway",
            description = "The user that the gateway runs as; default ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // has a default
    private String user;

    @Override
    public Integer call() throws IOException {
        if (!user.matches("[a-z_][a-z0-9_-]{0,31}")) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--user: " + user + " (expected: the name of a user of this machine)");
        }
        GatewaySettings settings = SettingsFile.load(file, name -> "only the addresses are of interest here");
        Policy policy = YamlPolicy.load(settings.policy());
        if (policy.network().isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println(settings.policy() + ": network: absent (expected: the scopes to make rules of)");
            return CommandLine.ExitCode.SOFTWARE;
        }
        spec.commandLine().getOut().print(NftablesRules.of(policy, user, settings.control()));
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }
}
