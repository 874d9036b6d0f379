package dev.substraterouter.examples.quickstart.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.yaml.YamlPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the README shows is what is compiled, read and run. */
class ReadmeTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path FALLBACK_MACHINE =
            ROOT.resolve("router-core/src/main/java/dev/substraterouter/internal/decide/FallbackMachine.java");

    private static String readme;

    @BeforeAll
    static void read() throws IOException {
        readme = Files.readString(ROOT.resolve("README.md"));
    }

    private static List<String> blocks(String language) {
        return blocks(language, readme);
    }

    static List<String> blocks(String language, String readme) {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(readme);
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        assertThat(blocks).as("blocks of %s", language).isNotEmpty();
        return blocks;
    }

    private static String dense(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void everyJavaBlockIsCompiled() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path folder : List.of(Path.of("src"), ROOT.resolve("examples/policy-ci/src"))) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    sources.add(dense(Files.readString(file)));
                }
            }
        }
        assertThat(blocks("java")).allSatisfy(block -> assertThat(sources)
                .anySatisfy(source -> assertThat(source).contains(dense(block))));
    }

    @Test
    void everyPolicyIsTakenOrRefusedAsShown() {
        for (String block : blocks("yaml")) {
            try {
                SubstrateRouter.builder()
                        .policy(YamlPolicy.parse(block))
                        .build()
                        .close();
            } catch (PolicyException refused) {
                String message = new PolicyException("routing.yaml", refused.problems()).getMessage();
                assertThat(readme).contains(message.strip());
            }
        }
    }

    @Test
    void theFallbackMachineIsTheOneOfTheCode() throws IOException {
        String table = Files.readAllLines(FALLBACK_MACHINE).stream()
                .dropWhile(line -> !line.contains("<pre>"))
                .skip(1)
                .takeWhile(line -> !line.contains("</pre>"))
                .map(line -> line.replaceFirst("^ \\* ?", "").stripTrailing())
                .collect(Collectors.joining("\n"));
        assertThat(table).contains("REFUSE_FULL");
        assertThat(readme).contains(table);
    }

    @Test
    void theCommandsAreThoseOfTheBuild() throws IOException {
        assertThat(readme).contains("mvn -q -ntp -Pquickstart -pl examples/quickstart -am process-classes");
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("mvn -q -ntp -Pquickstart -pl examples/quickstart -am process-classes");
        String command = Files.readAllLines(ROOT.resolve(".ci/run")).stream()
                .filter(line -> line.startsWith("mvn "))
                .findFirst()
                .orElseThrow();
        assertThat(readme).contains("\n" + command + "\n");
    }

    @Test
    void linksLeadSomewhere() {
        Matcher links = Pattern.compile("\\]\\((?!http|#)([^)#]+)").matcher(readme);
        while (links.find()) {
            assertThatCode(() -> assertThat(ROOT.resolve(links.group(1))).exists())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theTestsItNamesExist() throws IOException {
        List<String> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(ROOT, 12)) {
            all.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .forEach(files::add);
        }
        Matcher names = Pattern.compile("`(\\w+Test)`").matcher(readme);
        int named = 0;
        while (names.find()) {
            assertThat(files).contains(names.group(1) + ".java");
            named++;
        }
        assertThat(named).isGreaterThan(10);
    }
}
