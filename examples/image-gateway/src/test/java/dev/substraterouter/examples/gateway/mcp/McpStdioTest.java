package dev.substraterouter.examples.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.examples.gateway.web.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The process as another program sees it: its output is MCP alone, and it ends with its input. */
class McpStdioTest {
    private static final String NOWHERE = "http://127.0.0.1:1";

    @Test
    void theOutputIsMcpAloneAndTheProcessEndsWithItsInput() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        StdioGateway.classPath(),
                        StdioGateway.class.getName(),
                        NOWHERE,
                        NOWHERE)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Writer in = process.outputWriter();
        try (BufferedReader out = process.inputReader()) {
            say(
                    in,
                    "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-06-18',"
                            + "'capabilities':{},'clientInfo':{'name':'t','version':'1'}}}");
            JsonNode opened = Json.MAPPER.readTree(out.readLine());
            assertThat(opened.at("/result/serverInfo/name").stringValue()).isEqualTo("substrate-gateway");
            assertThat(opened.at("/result/instructions").stringValue()).contains("run_workload");
            say(in, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
            say(in, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'pool_instances','arguments':{}}}");
            JsonNode pool = Json.MAPPER.readTree(out.readLine());
            assertThat(pool.at("/result/isError").booleanValue()).isFalse();
            assertThat(pool.at("/id").intValue()).isEqualTo(2);
            in.close();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(out.lines()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void say(Writer in, String message) throws IOException {
        in.write(message.replace('\'', '"') + "\n");
        in.flush();
    }
}
