package dev.substraterouter.examples.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and runs the projects of {@code src/projects} as somebody who only has the packaged jars: on the class path, on
 * the module path, and with the core alone. Each ends with code 0 and says what was served.
 */
class PackagedJarsIT {

    private static final Path PROJECTS = Path.of("src", "projects");
    private static final Path JARS = Path.of("target", "jars");

    /** The core with its one dependency. */
    private static final List<String> CORE = List.of("router-core-", "caffeine-");

    /** What its compiler sees besides: the annotations. */
    private static final List<String> ANNOTATIONS = List.of("jspecify-");

    @TempDir
    Path workspace;

    @Test
    void onTheClassPath() throws Exception {
        String jars = jars(name -> true);
        Path classes = compile("class-path", "-classpath", jars);

        assertThat(run("-classpath", join(jars, classes), "consumer.Main")).contains("served by legion");
    }

    @Test
    void onTheModulePath() throws Exception {
        String jars = jars(name -> true);
        Path classes = compile("module-path", "--module-path", jars);

        assertThat(run("--module-path", join(jars, classes), "--module", "consumer/consumer.Main"))
                .contains("served by legion");
    }

    @Test
    void withTheCoreAlone() throws Exception {
        String jars = jars(startsWith(CORE));
        Path classes =
                compile("core-alone", "--module-path", jars(startsWith(CORE).or(startsWith(ANNOTATIONS))));

        assertThat(run("--module-path", join(jars, classes), "--module", "consumer/consumer.Main"))
                .contains("served by legion");
        assertThat(run("-classpath", join(jars, classes), "consumer.Main")).contains("served by legion");
    }

    private static Predicate<String> startsWith(List<String> prefixes) {
        return name -> prefixes.stream().anyMatch(name::startsWith);
    }

    private static String jars(Predicate<String> wanted) throws IOException {
        try (Stream<Path> files = Files.list(JARS)) {
            List<Path> jars = files.filter(jar -> wanted.test(jar.getFileName().toString()))
                    .sorted()
                    .toList();
            assertThat(jars).as("jars of %s", JARS).isNotEmpty().allSatisfy(jar -> assertThat(jar)
                    .isRegularFile());
            return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static String join(String jars, Path classes) {
        return jars + File.pathSeparator + classes;
    }

    private Path compile(String project, String... options) throws IOException {
        Path classes = workspace.resolve(project);
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-d", classes.toString(), "--release", "17", "-proc:none", "-Xlint:all,-options"));
        try (Stream<Path> files = Files.walk(PROJECTS.resolve(project))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
        }

        StringWriter messages = new StringWriter();
        PrintWriter printer = new PrintWriter(messages);
        int code =
                ToolProvider.findFirst("javac").orElseThrow().run(printer, printer, arguments.toArray(String[]::new));
        printer.flush();

        assertThat(code).as("javac of %s: %s", project, messages).isZero();
        return classes;
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m"));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(workspace, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(30, TimeUnit.SECONDS);
            String said = Files.readString(output);
            assertThat(ended).as("ended in time: %s", said).isTrue();
            assertThat(process.exitValue()).as("exit code: %s", said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
