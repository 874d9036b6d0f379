package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every planted bug is caught: the router with the bug breaks an invariant in one of a bounded number of random scenarios. */
class PlantedBugsTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Logger LOG = Logger.getLogger("dev.substraterouter");
    private static final int MOST_SCENARIOS = 200;

    private static @Nullable Level before;

    @TempDir
    Path folder;

    @BeforeAll
    static void silence() {
        before = LOG.getLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(before);
    }

    static List<PlantedBugs.Bug> bugs() {
        return PlantedBugs.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void isCaught(PlantedBugs.Bug bug) throws Exception {
        compile(bug);
        try (Planted planted = new Planted(folder)) {
            Method run = planted.loadClass(Harness.class.getName()).getMethod("run", long.class);
            String verdict = null;
            int scenarios = 0;
            while (verdict == null && scenarios < MOST_SCENARIOS) {
                scenarios++;
                verdict = (String) run.invoke(null, (long) scenarios);
            }
            System.out.printf("PlantedBugsTest: %s, after %d scenarios: %s%n", bug.name(), scenarios, verdict);
            assertThat(verdict)
                    .as("%s (%s) in %d scenarios", bug.name(), bug.wrong(), scenarios)
                    .isNotNull();
        }
    }

    private void compile(PlantedBugs.Bug bug) throws IOException {
        String source = Files.readString(SOURCES.resolve(bug.file()));
        assertThat(source).as(bug.file()).containsOnlyOnce(bug.text());
        Path changed = folder.resolve(Path.of(bug.file()).getFileName().toString());
        Files.writeString(changed, source.replace(bug.text(), bug.instead()));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                changed.toString());
        assertThat(result).as("compiling %s with %s", bug.file(), bug.name()).isZero();
    }

    /** Loads the library and its tests anew, the changed classes first. */
    private static final class Planted extends URLClassLoader {
        private static final String OURS = "dev.substraterouter.";

        Planted(Path changed) throws IOException {
            super(
                    new URL[] {
                        changed.toUri().toURL(),
                        place(dev.substraterouter.SubstrateRouter.class),
                        place(PlantedBugsTest.class)
                    },
                    PlantedBugsTest.class.getClassLoader());
        }

        private static URL place(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                return name.startsWith(OURS) ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }
}
