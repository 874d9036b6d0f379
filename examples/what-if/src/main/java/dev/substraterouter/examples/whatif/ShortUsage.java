package dev.substraterouter.examples.whatif;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Tells what is wrong with a call and where to read on, so that it is not lost in a page of options. */
final class ShortUsage implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println(wrong.getMessage());
        err.println("Usage: what-if POLICY SCENARIO, or what-if POLICY --traces=FILE; --help tells the options.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }
}
