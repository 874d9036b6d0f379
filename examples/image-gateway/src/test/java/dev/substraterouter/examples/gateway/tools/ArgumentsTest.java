package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.model.PlacementMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is wrong is named by key, value and expectation, whichever tool it is. */
class ArgumentsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|query: absent (expected: text of 1 to 1990 characters)",
                "[]|arguments: [] (expected: a JSON object)",
                "{'query':7,'gap_description':'x'}|query: 7 (expected: text of 1 to 1990 characters)",
                "{'query':'  ','gap_description':'x'}|query: '  ' (expected: text of 1 to 1990 characters)",
                "{'query':'x','gap_description':null}|gap_description: absent (expected: text of 1 to 1990 characters)",
                "{'query':'x','gap_description':'y','vram_required_gb':'lots'}|vram_required_gb: 'lots' (expected: a number above 0",
                "{'query':'x','gap_description':'y','vram_required_gb':-1}|vram_required_gb: -1 (expected: a number above 0",
                "{'query':'x','gap_description':'y','required_capabilities':'cuda'}|required_capabilities: 'cuda' (expected: a list of",
                "{'query':'x','gap_description':'y','required_capabilities':[1]}|required_capabilities: 1 (expected: text of",
                "{'query':'x','gap_description':'y','vram':3}|vram: 3 (expected: only gap_description, query, required_capab",
            })
    void gap(String json, String message) {
        refuses(GapQuestion::of, json, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'message':'x'}|action_type: absent (expected: invoke, delegate, broadcast)",
                "{'message':'x','action_type':'INVOKE'}|action_type: 'INVOKE' (expected: invoke, delegate, broadcast)",
                "{'action_type':'invoke'}|message: absent (expected: a text or a JSON value)",
                "{'message':'x','action_type':'invoke','routing':7}|routing: 7 (expected: a JSON object)",
                "{'message':'x','action_type':'invoke','routing':{'node':'a'}}|routing.node: 'a' (expected: only preferred_node,",
            })
    void mesh(String json, String message) {
        refuses(MeshMessage::of, json, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'workload':'x','parameters':[]}|parameters: [] (expected: a JSON object)",
                "{'workload':'x','mode':'soon'}|mode: 'soon' (expected: interactive, batch, either)",
                "{'workload':'x','max_wait_sec':-1}|max_wait_sec: -1 (expected: seconds, a number from 0",
                "{'workload':'x','deadline_sec':99999999999}|deadline_sec: 99999999999 (expected: seconds, a number from 0",
                "{'workload':'x','idempotent':'yes'}|idempotent: 'yes' (expected: true or false)",
                "{'workload':'x','inputs':[{'name':'a'}]}|inputs[0].data: absent (expected: either data (Base64) or text",
                "{'workload':'x','inputs':[{'name':'a','data':'?'}]}|inputs[0].data: '?' (expected: Base64)",
                "{'workload':'x','inputs':[{'name':'a','text':'t','data':'AA=='}]}|inputs[0].data: 'AA==' (expected: either",
                "{'workload':'x','inputs':[7]}|inputs[0]: 7 (expected: a JSON object)",
            })
    void run(String json, String message) {
        refuses(WorkloadRun::of, json, message);
    }

    @Test
    void longValuesAreNotShownWhole() {
        refuses(
                GapQuestion::of,
                "{'query':'" + "x".repeat(5_000) + "','gap_description':'y'}",
                "query: '" + "x".repeat(79) + "... (5002 characters)");
    }

    @Test
    void whatIsRightIsRead() {
        WorkloadRun run = WorkloadRun.of(json("{'workload':'flux','parameters':{'steps':20},'mode':'batch',"
                + "'max_wait_sec':0,'deadline_sec':1.5,'idempotent':false,"
                + "'inputs':[{'name':'mask','content_type':'image/png','data':'AAEC'},{'name':'note','text':'hi'}]}"));
        assertThat(run.mode()).isEqualTo(PlacementMode.BATCH);
        assertThat(run.maxWait()).contains(Duration.ZERO);
        assertThat(run.deadline()).contains(Duration.ofMillis(1500));
        assertThat(run.idempotent()).isFalse();
        assertThat(run.message().contentType()).isEqualTo("application/json");
        assertThat(Json.MAPPER.readTree(run.message().body()))
                .isEqualTo(json("{'parameters':{'steps':20},'inputs':["
                        + "{'name':'mask','content_type':'image/png','data':'AAEC'},"
                        + "{'name':'note','content_type':'text/plain; charset=utf-8','text':'hi'}]}"));
    }

    @Test
    void aMessageIsTextOrJson() {
        assertThat(Message.of(json("'hi'")).contentType()).startsWith("text/plain");
        assertThat(Message.of(json("{'a':[1]}")).contentType()).isEqualTo("application/json");
        assertThat(MeshMessage.of(json("{'message':'hi','action_type':'broadcast'}"))
                        .requiredCapabilities())
                .isEqualTo(List.of());
    }

    @Test
    void aParcelKeepsWhatItIsGiven() {
        byte[] body = {0, 1, -1};
        Message back = Parcel.read(Parcel.write(new Message("/a?b", "image/png", body)));
        assertThat(back.path()).isEqualTo("/a?b");
        assertThat(back.contentType()).isEqualTo("image/png");
        assertThat(back.body()).isEqualTo(body);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parcel.read(new byte[] {9}))
                .withMessage("parcel format: 9 (expected: 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Parcel.read(new byte[] {1, 0}))
                .withMessage("parcel: 2 bytes (expected: a whole one)");
    }

    private static void refuses(Function<JsonNode, Object> reader, String json, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reader.apply(json(json)))
                .withMessageStartingWith(message.replace('\'', '"'));
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
