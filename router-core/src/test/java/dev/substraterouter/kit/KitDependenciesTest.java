package dev.substraterouter.kit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What hosts get of our tests is the kit alone: it must need nothing that they do not have. */
class KitDependenciesTest {
    @Test
    void theKitNeedsTheRouterJqwikAndJUnitOnly() throws Exception {
        var kit = new ClassFileImporter()
                .importLocations(
                        Set.of(Location.of(Path.of("target", "test-classes", "dev", "substraterouter", "testkit"))));
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "net.jqwik.api..",
                        "org.junit.jupiter.api..",
                        "org.jspecify.annotations..",
                        "dev.substraterouter",
                        "dev.substraterouter.batch..",
                        "dev.substraterouter.model..",
                        "dev.substraterouter.policy..",
                        "dev.substraterouter.status..",
                        "dev.substraterouter.testkit..",
                        "dev.substraterouter.time..",
                        "dev.substraterouter.trace..",
                        "dev.substraterouter.verify..")
                .check(kit);
    }
}
