package dev.substraterouter.policy.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line with all its commands. Not thread-safe. */
@Command(
        name = "substrate-policy",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        usageHelpWidth = 100,
        description = "Proves a routing policy before it is put in force, and tells from traces what it does.",
        footer = {"", "COMMAND --help tells its options and exit codes."})
public final class PolicyTool implements Runnable {
    /** Whatever could not be done ends with this code; 0 and 1 are answers. */
    static final int COULD_NOT = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // set before it runs
    private CommandSpec spec;

    private PolicyTool() {}

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line, which prints to standard output and error unless it is told otherwise. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new PolicyTool());
        line.addSubcommand(new CheckCommand());
        line.addSubcommand(new ExplainCommand());
        line.addSubcommand(new DiffCommand());
        line.addSubcommand(new ProfileCommand());
        line.addSubcommand(new UnusedCommand());
        return line.setColorScheme(Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Failures::calledWrongly)
                .setExecutionExceptionHandler(Failures::failed);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }
}
