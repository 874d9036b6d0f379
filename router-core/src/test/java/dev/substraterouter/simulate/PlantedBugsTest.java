package dev.substraterouter.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.planted.Bug;
import dev.substraterouter.planted.Planted;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every planted bug is caught: the router with the bug breaks an invariant in one of a bounded number of random scenarios. */
class PlantedBugsTest {
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

    static List<Bug> bugs() {
        return PlantedBugs.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void isCaught(Bug bug) throws Exception {
        try (Planted planted = Planted.with(bug, folder)) {
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
}
