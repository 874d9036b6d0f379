package dev.substraterouter.examples.whatif.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window that loads one page and tells what became of it. */
final class Chromium {
    private static final long PATIENCE_SECONDS = 90;

    private final Path executable;
    private final Path directory;
    private int runs;

    private Chromium(Path executable, Path directory) {
        this.executable = executable;
        this.directory = directory;
    }

    /** The browser on the PATH; empty: there is none. */
    static Optional<Chromium> find(Path directory) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(executable -> new Chromium(executable, directory));
    }

    /** What is there once a page has been loaded. */
    Loaded load(String html, boolean dark) throws IOException, InterruptedException {
        runs++;
        Path page = Files.writeString(directory.resolve("page-" + runs + ".html"), html);
        return run(
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
                "--dump-dom",
                page.toUri().toString());
    }

    private Loaded run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                executable.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--enable-logging=stderr",
                "--v=0",
                "--window-size=1400,1000",
                "--user-data-dir=" + Files.createTempDirectory(directory, "profile")));
        command.addAll(List.of(arguments));
        File out = directory.resolve("out-" + runs + ".txt").toFile();
        File err = directory.resolve("err-" + runs + ".txt").toFile();
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(out)
                .redirectError(err)
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the browser did not end within " + PATIENCE_SECONDS + " s");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Loaded(Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    /**
     * A loaded page.
     *
     * @param dom its text after its scripts have run
     * @param log what the browser wrote
     */
    record Loaded(String dom, String log) {
        /** What scripts, styles and images complained of. */
        List<String> console() {
            return log.lines().filter(line -> line.contains("CONSOLE")).toList();
        }

        /** The text of an element. */
        String text(String id) {
            int from = dom.indexOf("<pre id=\"" + id + "\">");
            if (from < 0) {
                throw new AssertionError(
                        "no element '" + id + "' in a page of " + dom.length() + " characters: " + log);
            }
            return dom.substring(dom.indexOf('>', from) + 1, dom.indexOf("</pre>", from));
        }
    }
}
