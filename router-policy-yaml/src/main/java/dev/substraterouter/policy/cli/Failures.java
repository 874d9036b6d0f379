package dev.substraterouter.policy.cli;

import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.cli.text.Visible;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells what could not be done, in a few lines on standard error. Only what should not happen shows its stack trace. */
final class Failures {
    private Failures() {}

    /** A call that is not understood. */
    static int calledWrongly(ParameterException wrong, String[] arguments) {
        CommandLine called = wrong.getCommandLine();
        PrintWriter err = called.getErr();
        err.println(Visible.of(String.valueOf(wrong.getMessage())));
        err.println("Try: " + called.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return PolicyTool.COULD_NOT;
    }

    /** An input that cannot be used. */
    static int failed(Exception failure, CommandLine called, ParseResult parsed) {
        PrintWriter err = called.getErr();
        if (failure instanceof PolicyException
                || failure instanceof IOException
                || failure instanceof UncheckedIOException) {
            words(failure).lines().forEach(line -> err.println(Visible.of(line)));
        } else {
            failure.printStackTrace(err);
        }
        err.flush();
        return PolicyTool.COULD_NOT;
    }

    /** What went wrong with a file, with its name. */
    static String words(Exception failure) {
        if (failure instanceof NoSuchFileException missing) {
            return missing.getFile() + ": there is no such file";
        }
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + ": it may not be read";
        }
        return failure instanceof UncheckedIOException && failure.getCause() instanceof IOException cause
                ? words(cause)
                : String.valueOf(failure.getMessage());
    }
}
