package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A literal is the text that it was made of, whatever that holds. */
class CodeTest {
    @TempDir
    Path folder;

    @Test
    @DisplayName("every text comes back from its literal")
    void text() throws Exception {
        List<String> texts = List.of(
                "plain",
                "\"quoted\" and \\ and \\u0041 and \\\\u0041",
                "line\nfeed, return\r, tab\t, \f\b\0" + "12\1777\u0085\u2028",
                "Größe \\\u00e9 \ud83d\ude80 \ud83d",
                "");
        StringBuilder source = new StringBuilder("public class Texts { public static final String[] ALL = {");
        texts.forEach(text -> source.append(Code.text(text)).append(','));

        assertThat(read(source.append("}; }").toString())).containsExactlyElementsOf(texts);
    }

    @Test
    @DisplayName("a literal is one line of ASCII")
    void oneLine() {
        assertThat(Code.text("a\nb\u0001\u007f\u00e9")).isEqualTo("\"a\\nb\\001\\177\\u00e9\"");
    }

    private String[] read(String source) throws IOException, ReflectiveOperationException {
        Path file = Files.writeString(folder.resolve("Texts.java"), source);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", folder.toString(), file.toString());
        assertThat(compiled).as(source).isZero();
        URL place = folder.toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {place}, null)) {
            return (String[]) loader.loadClass("Texts").getField("ALL").get(null);
        }
    }
}
