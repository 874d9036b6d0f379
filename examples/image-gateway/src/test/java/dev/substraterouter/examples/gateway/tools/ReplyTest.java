package dev.substraterouter.examples.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An answer's text is what its charset says. */
class ReplyTest {
    @Test
    void textIsReadInItsCharset() {
        byte[] latin = "grün".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(reply("text/plain; charset=\"ISO-8859-1\"", latin).text()).isEqualTo("grün");
        assertThat(reply("text/plain", "grün".getBytes(StandardCharsets.UTF_8)).text())
                .isEqualTo("grün");
        assertThat(reply("text/plain;Charset=klingon", latin).isText()).isFalse();
        assertThat(reply("text/plain;Charset=utf-8", latin).isText()).isTrue();
    }

    private static Reply reply(String type, byte[] body) {
        return new Reply(200, type, body, null, new Served("mirror", null, List.of(), "primary", "id", null));
    }
}
