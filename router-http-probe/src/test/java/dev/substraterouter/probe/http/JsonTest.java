package dev.substraterouter.probe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The reading of which only some members are kept. */
class JsonTest {
    private static JsonNode only(String body) throws NoStatusException {
        return Json.only(body.getBytes(StandardCharsets.UTF_8), Set.of("a", "b"));
    }

    @Test
    void whatIsWantedIsKeptAtAnyDepthAndNothingElse() throws Exception {
        assertThat(
                        only(
                                "{\"a\": [1, \"x\", null, true, {\"b\": 1.5, \"c\": {\"a\": 2}}], \"d\": {\"a\": 3}, \"b\": false}"))
                .hasToString("{\"a\":[1.0,\"x\",null,true,{\"b\":1.5}],\"b\":false}");
    }

    @Test
    void whatIsPassedOverMayBeLongDeepAndSaidTwice() throws Exception {
        String passed = "[" + "{\"x\":".repeat(200) + "1" + "}".repeat(200) + ",\"" + "x".repeat(1_000_000) + "\""
                + ",1".repeat(300_000) + "]";

        assertThat(only("{\"c\": " + passed + ", \"a\": 1, \"c\": 2, \"long name " + "x".repeat(2_000) + "\": 3}"))
                .hasToString("{\"a\":1.0}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "<a/>",
                "{\"a\": 1",
                "{\"a\": 1}{\"a\": 1}",
                "{\"a\": 1} x",
                "{\"a\": 1, \"a\": 1}",
                "[1, 2",
                "{\"c\": [1, 2}",
                "{secret}",
                "{\"a\": secret}",
            })
    void whatIsNotOneValueIsNoStatus(String body) {
        assertNone(body);
    }

    @ParameterizedTest
    @MethodSource("tooMuch")
    void tooMuchOfWhatIsKeptIsNoStatus(String body) {
        assertNone(body);
    }

    static String[] tooMuch() {
        return new String[] {
            "[".repeat(40) + "]".repeat(40),
            "{\"a\":".repeat(40) + "1" + "}".repeat(40),
            "{\"a\": [" + "1,".repeat(60_000) + "1]}",
            "{\"a\": \"" + "x".repeat(100_000) + "\"}",
            "{\"a\": " + "1".repeat(100_000) + "}",
            "{\"c\": " + "[".repeat(100_000),
        };
    }

    private static void assertNone(String body) {
        assertThatThrownBy(() -> only(body))
                .isInstanceOf(NoStatusException.class)
                .hasMessageStartingWith("not a status: ")
                .hasMessageNotContaining("secret");
    }
}
