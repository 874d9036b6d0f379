package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.policy.yaml.StructuralTable.Kind;
import dev.substraterouter.policy.yaml.StructuralTable.LoaderOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The schema takes what the loader takes, and refuses, key by key, what the loader refuses for its structure. */
class SchemaTest {
    /** With a buffer that takes a whole file: the engine fails on a character of two halves that ends its buffer. */
    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .loadSettings(LoadSettings.builder().setBufferSize(1 << 20).build())
            .build());

    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(YamlPolicy.schema());
    private static final String ABSENT = "null!";

    private static List<String> faults(JsonNode policy) {
        return SCHEMA.validate(policy).stream().map(Object::toString).toList();
    }

    private static JsonNode whole() {
        return YAML.readTree(StructuralTable.WHOLE);
    }

    /** The whole policy with another value at one place; {@link #ABSENT} takes the key away. */
    private static JsonNode with(String pointer, String value) {
        JsonNode policy = whole();
        JsonPointer place = JsonPointer.compile(pointer);
        JsonNode around = policy.at(place.head());
        if (around instanceof ArrayNode list) {
            list.set(place.last().getMatchingIndex(), JsonMapper.shared().readTree(value));
        } else if (value.equals(ABSENT)) {
            ((ObjectNode) around).remove(place.last().getMatchingProperty());
        } else {
            ((ObjectNode) around)
                    .set(place.last().getMatchingProperty(), JsonMapper.shared().readTree(value));
        }
        return policy;
    }

    /** The problems of the loader; the words of the tree are YAML too. */
    private static List<PolicyProblem> problems(JsonNode policy) {
        return YamlPolicy.check(policy.toString(), lint -> List.of()).problems();
    }

    private static String path(String pointer) {
        return pointer.replaceAll("/(\\d+)", "[$1]").replaceFirst("^/", "").replace('/', '.');
    }

    @Test
    @DisplayName("the schema is one, by the rules of draft 2020-12")
    void isSchema() {
        Schema meta = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        assertThat(meta.validate(JsonMapper.shared().readTree(YamlPolicy.schema())))
                .isEmpty();
    }

    static Stream<String> examples() throws IOException {
        List<String> examples = new ArrayList<>(List.of(StructuralTable.WHOLE, Examples.SMALLEST, Examples.EVERYTHING));
        for (Path file : exampleFiles()) {
            examples.add(Files.readString(file));
        }
        return examples.stream();
    }

    /** The policies among the examples: scenarios have other keys. */
    private static List<Path> exampleFiles() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", "examples"))) {
            return files.filter(file -> !file.toString().contains("target"))
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.endsWith("scenario.yaml"))
                    .filter(file -> !file.getFileName().toString().contains("broken"))
                    .toList();
        }
    }

    @ParameterizedTest(name = "[{index}]")
    @MethodSource
    @DisplayName("every example of the repository is a policy to both")
    void examples(String yaml) {
        assertThat(faults(YAML.readTree(yaml))).isEmpty();
        assertThat(YamlPolicy.check(yaml, lint -> List.of()).problems()).isEmpty();
    }

    @Test
    @DisplayName("of the policies in the README, the schema takes those that the loader takes")
    void readme() throws IOException {
        List<Boolean> taken = new ArrayList<>();
        for (String block : Files.readString(Path.of("..", "README.md")).split("```")) {
            if (block.startsWith("yaml\n") && block.contains("version: 1\n") && block.contains("\nsubstrates:")) {
                String yaml = block.substring("yaml\n".length());
                taken.add(YamlPolicy.check(yaml, lint -> List.of()).problems().isEmpty());
                assertThat(faults(YAML.readTree(yaml)).isEmpty()).as(yaml).isEqualTo(taken.get(taken.size() - 1));
            }
        }
        assertThat(taken).contains(true);
    }

    @Test
    @DisplayName("every example policy names the schema, and finds it")
    void examplesNameTheSchema() throws IOException {
        assertThat(exampleFiles()).hasSizeGreaterThanOrEqualTo(4).allSatisfy(file -> {
            String first = Files.readAllLines(file).get(0);
            assertThat(first).startsWith("# yaml-language-server: $schema=");
            Path schema = file.resolveSibling(first.substring(first.indexOf('=') + 1));
            assertThat(Files.readString(schema)).isEqualTo(YamlPolicy.schema());
        });
    }

    @Test
    @DisplayName("the table has every key of a policy that has every key")
    void tableIsWhole() {
        List<String> pointers = new ArrayList<>();
        collect("", whole(), pointers);
        assertThat(StructuralTable.KEYS.keySet()).containsAll(pointers);
        assertThat(pointers).containsAll(StructuralTable.KEYS.keySet());
        hasAll("", PolicyKeys.POLICY.keys());
        hasAll("/health", PolicyKeys.HEALTH.keys());
        hasAll("/ejection", PolicyKeys.EJECTION.keys());
        hasAll("/queue", PolicyKeys.QUEUE.keys());
        hasAll("/poll", PolicyKeys.POLL.keys());
        hasAll("/strategy", PolicyKeys.STRATEGY.keys());
        hasAll("/network", PolicyKeys.NETWORK.keys());
        hasAll("/substrates/a", PolicyKeys.SUBSTRATE.keys());
        hasAll("/substrates/a/status/0", PolicyKeys.STATUS_ADDRESS.keys());
        hasAll("/substrates/a/owner", PolicyKeys.OWNER.keys());
        hasAll("/workloads/w/route/0", PolicyKeys.CANDIDATE.keys());
        hasAll("/workloads/w/queue", PolicyKeys.WORKLOAD_QUEUE.keys());
        hasAll("/workloads/p/pin", PolicyKeys.PIN.keys());
        hasAll("/roles/r", PolicyKeys.ROLE.keys());
        List<String> workload = new ArrayList<>(PolicyKeys.WORKLOAD.keys());
        workload.remove("pin"); // which stands in the other workload
        hasAll("/workloads/w", workload);
    }

    private static void hasAll(String pointer, Iterable<String> keys) {
        assertThat(whole().at(pointer).propertyNames()).containsExactlyInAnyOrderElementsOf(keys);
    }

    private static void collect(String pointer, JsonNode node, List<String> pointers) {
        node.properties().forEach(entry -> {
            pointers.add(pointer + "/" + entry.getKey());
            collect(pointer + "/" + entry.getKey(), entry.getValue(), pointers);
        });
        if (pointer.endsWith("/status") || pointer.endsWith("/route")) {
            for (int index = 0; index < node.size(); index++) {
                pointers.add(pointer + "/" + index);
                collect(pointer + "/" + index, node.get(index), pointers);
            }
        }
    }

    static Stream<String> keys() {
        return StructuralTable.KEYS.keySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("keys")
    @DisplayName("a bad value at a key: refused by the loader, there, and by the schema")
    void badValues(String pointer) {
        Kind kind = StructuralTable.KEYS.get(pointer);
        for (String bad : kind.bad()) {
            JsonNode policy = with(pointer, bad);
            assertThat(problems(policy))
                    .as("loader: %s = %s", pointer, bad)
                    .anySatisfy(problem -> assertThat(problem.path()).startsWith(path(pointer)));
            assertThat(faults(policy)).as("schema: %s = %s", pointer, bad).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("keys")
    @DisplayName("the ends of a range: taken by both, but for what the table says")
    void extremes(String pointer) {
        for (String extreme : StructuralTable.KEYS.get(pointer).extremes()) {
            JsonNode policy = with(pointer, extreme);
            assertThat(faults(policy)).as("schema: %s = %s", pointer, extreme).isEmpty();
            boolean loaderOnly = StructuralTable.LOADER_ONLY.stream()
                    .anyMatch(
                            row -> row.pointer().equals(pointer) && row.value().equals(extreme));
            if (!loaderOnly) {
                assertThat(problems(policy))
                        .as("loader: %s = %s", pointer, extreme)
                        .isEmpty();
            }
        }
    }

    static Stream<LoaderOnly> loaderOnly() {
        return StructuralTable.LOADER_ONLY.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    @DisplayName("what only the loader refuses")
    void loaderOnly(LoaderOnly row) {
        JsonNode policy = with(row.pointer(), row.value());
        assertThat(problems(policy)).as("loader").isNotEmpty();
        assertThat(faults(policy)).as("schema").isEmpty();
    }

    @Test
    @DisplayName("a key that must be there is missed by both")
    void required() {
        for (Map.Entry<String, List<String>> map : StructuralTable.REQUIRED.entrySet()) {
            for (String key : map.getValue()) {
                JsonNode policy = with(map.getKey() + "/" + key, ABSENT);
                assertThat(problems(policy))
                        .as("loader: %s without %s", map.getKey(), key)
                        .isNotEmpty();
                assertThat(faults(policy))
                        .as("schema: %s without %s", map.getKey(), key)
                        .isNotEmpty();
            }
        }
    }

    @Test
    @DisplayName("a key that no table knows is refused by both, in every map of the format")
    void unknownKeys() {
        List<String> maps = new ArrayList<>(List.of(""));
        StructuralTable.KEYS.forEach((pointer, kind) -> {
            if (whole().at(pointer).isObject() && !pointer.endsWith("require_attributes")) {
                maps.add(pointer);
            }
        });
        assertThat(maps).hasSizeGreaterThan(20);
        for (String map : maps) {
            JsonNode policy = with(map + "/unknown_key", "5");
            assertThat(problems(policy)).as("loader: %s", map).isNotEmpty();
            assertThat(faults(policy)).as("schema: %s", map).isNotEmpty();
        }
    }

    @Provide
    Arbitrary<Policy> policies() {
        return PolicyArbitraries.policies();
    }

    @Property(tries = 300)
    @Label("whatever policy is written, the schema takes it")
    void written(@ForAll("policies") Policy policy) {
        String yaml = YamlPolicy.write(policy);
        assertThat(faults(YAML.readTree(yaml))).as(yaml).isEmpty();
    }
}
