package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.model.Measure;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.OnStale;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.PinGate;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.SubstrateKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The schema has the keys of the loader's tables, no more and no fewer, with the words of the model and the defaults of the format. */
class SchemaKeysTest {
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(YamlPolicy.schema());

    /** Where the schema says which section of the loader. */
    private static final Map<String, Section<?, ?>> SECTIONS = Map.ofEntries(
            Map.entry("", PolicyKeys.POLICY),
            Map.entry("/$defs/health", PolicyKeys.HEALTH),
            Map.entry("/$defs/ejection", PolicyKeys.EJECTION),
            Map.entry("/$defs/ejection/properties/faults_of_last", PolicyKeys.FAULTS_OF_LAST),
            Map.entry("/$defs/queue", PolicyKeys.QUEUE),
            Map.entry("/$defs/queue/properties/weights", PolicyKeys.WEIGHTS),
            Map.entry("/$defs/poll", PolicyKeys.POLL),
            Map.entry("/$defs/strategy", PolicyKeys.STRATEGY),
            Map.entry("/$defs/network", PolicyKeys.NETWORK),
            Map.entry("/$defs/auth", PolicyKeys.AUTH),
            Map.entry("/$defs/statusAddress", PolicyKeys.STATUS_ADDRESS),
            Map.entry("/$defs/owner", PolicyKeys.OWNER),
            Map.entry("/$defs/substrate", PolicyKeys.SUBSTRATE),
            Map.entry("/$defs/candidate", PolicyKeys.CANDIDATE),
            Map.entry("/$defs/pin", PolicyKeys.PIN),
            Map.entry("/$defs/workload", PolicyKeys.WORKLOAD),
            Map.entry("/$defs/workload/properties/queue", PolicyKeys.WORKLOAD_QUEUE),
            Map.entry("/$defs/role", PolicyKeys.ROLE));

    static Stream<Arguments> sections() {
        return SECTIONS.entrySet().stream().map(section -> Arguments.of(section.getKey(), section.getValue()));
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource("sections")
    @DisplayName("a map has the keys of the loader's table, described, and nothing else")
    void keys(String pointer, Section<?, ?> section) {
        JsonNode map = SCHEMA.at(pointer);
        assertThat(map.at("/properties").propertyNames()).containsExactlyElementsOf(section.keys());
        assertThat(map.at("/additionalProperties").isBoolean()).isTrue();
        assertThat(map.at("/additionalProperties").booleanValue()).isFalse();
        assertThat(map.at("/properties").values())
                .allSatisfy(key -> assertThat(key.at("/description").asString()).isNotBlank());
    }

    /** Required by the table, or by the model's own check. */
    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource("sections")
    @DisplayName("a map requires what the loader requires")
    void required(String pointer, Section<?, ?> section) {
        List<String> expected = new ArrayList<>(section.requiredKeys());
        if (section == PolicyKeys.POLICY) {
            expected.add("substrates");
        } else if (section == PolicyKeys.ROLE) {
            expected.add("identities");
        }
        List<String> required = new ArrayList<>();
        SCHEMA.at(pointer).at("/required").values().forEach(key -> required.add(key.asString()));
        assertThat(required).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    @DisplayName("there is no map in the schema that no table stands for")
    void noMore() {
        List<String> closed = new ArrayList<>();
        collect("", SCHEMA, closed);
        assertThat(closed).containsExactlyInAnyOrderElementsOf(SECTIONS.keySet());
    }

    private static void collect(String pointer, JsonNode node, List<String> closed) {
        if (node.has("properties") && node.has("additionalProperties")) {
            closed.add(pointer);
        }
        node.properties().forEach(entry -> collect(pointer + "/" + entry.getKey(), entry.getValue(), closed));
    }

    static Stream<Arguments> words() {
        return Stream.of(
                Arguments.of("/$defs/health/properties/on_stale", OnStale.values(), '_'),
                Arguments.of("/$defs/health/properties/require/items", Measure.values(), '_'),
                Arguments.of("/$defs/health/properties/ignore/items", Measure.values(), '_'),
                Arguments.of("/$defs/queue/properties/order", QueueOrder.values(), '_'),
                Arguments.of("/$defs/strategy/properties/default", StrategyKind.values(), '-'),
                Arguments.of("/$defs/workload/properties/strategy", StrategyKind.values(), '-'),
                Arguments.of("/$defs/workload/properties/privacy", Trust.values(), '_'),
                Arguments.of("/$defs/substrate/properties/kind", SubstrateKind.values(), '_'),
                Arguments.of("/$defs/substrate/properties/idle_vram", IdleVram.values(), '_'),
                Arguments.of("/$defs/substrate/properties/trust", Trust.values(), '_'),
                Arguments.of("/$defs/pin/properties/gate", PinGate.values(), '_'),
                Arguments.of("/$defs/role/properties/max_priority", Priority.values(), '_'),
                Arguments.of("/$defs/role/properties/operate/items", Operation.values(), '_'));
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource
    @DisplayName("the words of a key are the words of the model")
    void words(String pointer, Enum<?>[] constants, char joint) {
        List<String> words = new ArrayList<>();
        SCHEMA.at(pointer).at("/enum").values().forEach(word -> words.add(word.asString()));
        assertThat(words)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(constants)
                        .map(constant ->
                                constant.name().toLowerCase(Locale.ROOT).replace('_', joint))
                        .toList());
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource
    @DisplayName("a default is the one that the format's description shows, where every value shown is the default")
    void defaults(String section) {
        JsonNode shown = new YAMLMapper().readTree(Examples.EVERYTHING).get(section);
        assertThat(shown.propertyNames()).isNotEmpty();
        compare("/$defs/" + section, shown);
    }

    static Stream<String> defaults() {
        return Stream.of("health", "ejection", "queue", "poll", "strategy");
    }

    private static void compare(String pointer, JsonNode shown) {
        assertThat(SCHEMA.at(pointer + "/properties").propertyNames())
                .containsExactlyInAnyOrderElementsOf(shown.propertyNames());
        shown.properties().forEach(entry -> {
            String key = pointer + "/properties/" + entry.getKey();
            if (SCHEMA.at(key).has("properties")) {
                compare(key, entry.getValue());
            } else {
                assertThat(SCHEMA.at(key + "/default")).as(key).isEqualTo(entry.getValue());
            }
        });
    }
}
