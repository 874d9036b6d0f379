package dev.substraterouter.examples.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** {@code policy-ci} has no parent, so that its folder can be copied out: it says its versions itself, and they are the parent's. */
class PolicyCiVersionsTest {
    private static final Document PARENT = pom(Path.of("..", "..", "pom.xml"));
    private static final Document POLICY_CI = pom(Path.of("..", "policy-ci", "pom.xml"));

    private static Document pom(Path file) {
        try (var text = Files.newInputStream(file)) {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(text);
        } catch (Exception e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e);
        }
    }

    private static Stream<Element> children(Node parent) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static Stream<Element> all(Document pom, String tag) {
        NodeList nodes = pom.getElementsByTagName(tag);
        return IntStream.range(0, nodes.getLength()).mapToObj(at -> (Element) nodes.item(at));
    }

    private static Optional<String> child(Node parent, String tag) {
        return children(parent)
                .filter(element -> element.getTagName().equals(tag))
                .map(Element::getTextContent)
                .findFirst();
    }

    private static Map<String, String> properties(Document pom) {
        Map<String, String> properties = new LinkedHashMap<>();
        all(pom, "properties")
                .filter(element -> element.getParentNode() == pom.getDocumentElement())
                .flatMap(PolicyCiVersionsTest::children)
                .forEach(property -> properties.put(property.getTagName(), property.getTextContent()));
        return properties;
    }

    /** The versions that plugins and the others have been given, by artifact. */
    private static Map<String, String> plugins(Document pom) {
        Map<String, String> versions = new LinkedHashMap<>();
        all(pom, "plugin").forEach(plugin -> child(plugin, "version")
                .ifPresent(version -> versions.put(child(plugin, "artifactId").orElseThrow(), version)));
        return versions;
    }

    @Test
    void theRouterIsTheOneOfThisBuild() {
        String built = child(PARENT.getDocumentElement(), "version").orElseThrow();
        assertThat(properties(POLICY_CI)).containsEntry("substrate-router.version", built);
        assertThat(child(POLICY_CI.getDocumentElement(), "version")).hasValue(built);
        assertThat(all(POLICY_CI, "parent")).as("parent").isEmpty();
    }

    @Test
    void libraries() {
        Map<String, String> ours = properties(PARENT);
        assertThat(properties(POLICY_CI))
                .containsEntry("junit.version", ours.get("junit.version"))
                .containsEntry("jqwik.version", ours.get("jqwik.version"))
                .containsEntry("maven.compiler.release", ours.get("java.release"))
                .containsEntry("project.build.outputTimestamp", ours.get("project.build.outputTimestamp"));
        List<String> versions = new ArrayList<>();
        all(POLICY_CI, "dependency").forEach(it -> child(it, "version").ifPresent(versions::add));
        assertThat(versions).as("versions of dependencies").isNotEmpty().allMatch(version -> version.startsWith("${"));
    }

    @Test
    void plugins() {
        assertThat(plugins(POLICY_CI))
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy((plugin, version) -> assertThat(plugins(PARENT)).containsEntry(plugin, version));
    }

    @Test
    void theFormatter() {
        assertThat(all(POLICY_CI, "palantirJavaFormat").map(format -> child(format, "version")))
                .containsExactly(Optional.of(properties(PARENT).get("palantir-java-format.version")));
    }

    @Test
    void theRecipeForContinuousIntegration() throws IOException {
        String built = child(PARENT.getDocumentElement(), "version").orElseThrow();
        assertThat(Files.readString(Path.of("..", "policy-ci", "ci.yml")))
                .contains("router-policy-yaml:" + built + ":jar:cli");
    }
}
