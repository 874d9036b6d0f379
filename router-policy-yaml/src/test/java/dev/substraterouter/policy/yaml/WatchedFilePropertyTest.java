package dev.substraterouter.policy.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.yaml.WatchedFile.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Whatever is done to a file, in whatever order, each look says what a naive model says. */
class WatchedFilePropertyTest {
    private static final String A = "version: 1\nsubstrates: { a: { max_concurrent_jobs: 1 } }\n";
    private static final String B = A.replace("1 }", "2 }");
    private static final List<String> GOOD = List.of(A, B);

    /** What may stand in the file; absent means that there is none. */
    private static final List<String> CONTENTS = List.of(A, B, "version: 2", A + "worklods: {}", "absent");

    private static final String LOOK = "look";

    @Provide
    Arbitrary<List<String>> deeds() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(2, Arbitraries.just(LOOK)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.of(CONTENTS)))
                .list()
                .ofMaxSize(40);
    }

    /** Remembers whole contents where the real one remembers as little as it can. */
    private static final class Model {
        private String content = A;
        private @Nullable String seen;
        private String judged = A;

        String look() {
            boolean twice = content.equals(seen);
            seen = content;
            if (content.equals(judged)) {
                return "Same";
            }
            if (!twice) {
                return "Unsettled";
            }
            judged = content;
            return GOOD.contains(content) ? "Good" : "Bad";
        }
    }

    @Property(tries = 300)
    @Label("writing, deleting and looking in any order")
    void anyOrder(@ForAll("deeds") List<String> deeds) throws IOException {
        Path file = Files.createTempFile("policy", ".yaml");
        try {
            Files.writeString(file, A);
            WatchedFile watched = new WatchedFile(file);
            watched.load();
            Model model = new Model();
            for (String deed : deeds) {
                if (deed.equals(LOOK)) {
                    Look look = watched.look();
                    assertThat(look.getClass().getSimpleName()).isEqualTo(model.look());
                    if (look instanceof Look.Good good) {
                        assertThat(good.policy()).isEqualTo(YamlPolicy.parse(model.content));
                    }
                } else {
                    model.content = deed;
                    put(file, deed);
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void put(Path file, String content) throws IOException {
        if (content.equals("absent")) {
            Files.deleteIfExists(file);
        } else {
            Files.writeString(file, content);
        }
    }
}
