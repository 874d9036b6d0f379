package dev.substraterouter.examples.benchmarks.ours;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a class of this program in a Java machine of its own and reads the figures that it prints, a {@code name=value} a line. */
final class Forked {
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    private Forked() {}

    /** On the first core only, compilers and collectors too, where the system can do that ({@code taskset}). */
    static Map<String, Double> onOneCore(Class<?> main, List<String> options) throws IOException, InterruptedException {
        return run(TASKSET.toFile().canExecute() ? List.of(TASKSET.toString(), "-c", "0") : List.of(), main, options);
    }

    static Map<String, Double> run(Class<?> main, List<String> options) throws IOException, InterruptedException {
        return run(List.of(), main, options);
    }

    private static Map<String, Double> run(List<String> before, Class<?> main, List<String> options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> figures = new LinkedHashMap<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int equals = line.indexOf('=');
                figures.put(line.substring(0, equals), Double.valueOf(line.substring(equals + 1)));
            }
        }
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException(main.getSimpleName() + " ended with " + exit + " (expected: 0)");
        }
        return figures;
    }
}
