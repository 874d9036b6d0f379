package dev.substraterouter.examples.policyci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Shows what CI would say to {@code broken-policy.yaml}: the contract fails, at the verifier alone, and the message names both mistakes. */
class BrokenPolicyTest {
    private static TestExecutionSummary run(Class<?> contract) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(contract))
                // it is meant to fail: no report of it among those of the build
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .configurationParameter("jqwik.database", "target/jqwik-database-broken")
                .build();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }

    @Test
    void theContractFailsAndSaysWhy() {
        TestExecutionSummary summary = run(BrokenPolicy.class);

        List<String> failed = summary.getFailures().stream()
                .map(failure -> failure.getTestIdentifier().getDisplayName())
                .toList();
        assertEquals(List.of("theVerifierFindsNothing"), failed);
        assertEquals(7, summary.getTestsSucceededCount(), "the rest of the contract holds");

        String message = summary.getFailures().get(0).getException().getMessage();
        assertTells(message, "the verifier has found (2):");
        assertTells(message, "flux-fill never on mirrorforge while legion is free");
        assertTells(message, "role agent never on thundercompute");
    }

    /** What the README shows is what CI would say, to the letter. */
    @Test
    void theReadmeShowsThatMessage() throws IOException {
        String message =
                run(BrokenPolicy.class).getFailures().get(0).getException().getMessage();

        assertTells(Files.readString(Path.of("README.md")), message.replace("\r", ""));
    }

    private static void assertTells(String message, String words) {
        assertTrue(message.contains(words), () -> "'" + words + "' expected in:\n" + message);
    }
}
