package dev.substraterouter.policy.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a run of the command line has printed, and how it ended. */
record Ran(int code, String out, String err) {
    static Ran of(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                PolicyTool.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        int code = line.execute(texts);
        return new Ran(code, plain(out), plain(err));
    }

    private static String plain(StringWriter text) {
        return text.toString().replace(System.lineSeparator(), "\n");
    }
}
