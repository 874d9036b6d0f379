package dev.substraterouter.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Trust;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;

/** What holds for every text. */
class NeedInferencePropertiesTest {
    private static final List<String> STRICT = List.of(
            "must stay local",
            "no cloud",
            "it is confidential",
            "patient data",
            "on-prem only",
            "never in the public cloud");
    private static final List<String> FRAGMENTS = List.of(
            "cuda",
            "or",
            "and",
            "not",
            "no",
            "without",
            "nothing but",
            ",",
            ".",
            "?",
            "24",
            "GB",
            "2 x",
            "of RAM",
            "between",
            "to",
            "the",
            "mirage",
            "repo",
            "MCP",
            "servers",
            "cloud is fine",
            "the cloud is fine",
            "public is fine",
            "our partners ok",
            "confidential",
            "local",
            "within",
            "takes",
            "30 seconds",
            "2 hours",
            "at most",
            "$",
            "0.5",
            "quality",
            "99%",
            "urgent",
            "no rush",
            "overnight",
            "an A100",
            "the 5090",
            "needed",
            "each",
            "two GPUs",
            "more than",
            "too small",
            "-",
            "/",
            "half an hour",
            "16GB",
            "batch",
            "1e999",
            "99999999999999999999",
            "needs",
            "if",
            "\u0130",
            "\ud83d\ude00",
            "don't",
            "NVLink",
            "metal",
            "across");

    @Property(tries = 500)
    void anyTextIsReadAlike(@ForAll @StringLength(max = 300) String text) {
        check(text);
    }

    @Property(tries = 2000)
    void anyWordsAreReadAlike(@ForAll("sentences") String text) {
        check(text);
    }

    @Property(tries = 1000)
    void explicitValuesWin(@ForAll("sentences") String text) {
        Need explicit = Need.builder()
                .capabilities("own")
                .vramGb(3)
                .codebase("own")
                .reaches("own")
                .privacy(Trust.PARTNER)
                .minQuality(0.25)
                .maxLatency(Duration.ofSeconds(7))
                .maxCost(7)
                .minAvailability(0.25)
                .duration(Duration.ofSeconds(7))
                .build();

        assertThat(NeedInference.standard().infer(text, explicit).need()).isEqualTo(explicit);
    }

    @Property(tries = 1000)
    void privacyIsNeverWeakerThanAsked(@ForAll("sentences") String before, @ForAll("sentences") String after) {
        for (String strict : STRICT) {
            InferredNeed inferred = NeedInference.standard().infer(before + ". " + strict + ". " + after);
            assertThat(inferred.need().privacy()).as(inferred.explain()).contains(Trust.CONTROLLED);
        }
    }

    /** A denial spoils a permission wherever it stands, in whatever words of other things. */
    @Property(tries = 2000)
    void aDenialAnywhereLeavesNoPermission(
            @ForAll("permissions") String permission,
            @ForAll("denials") String denial,
            @ForAll("neutral") String before,
            @ForAll("neutral") String between,
            @ForAll("neutral") String after) {
        for (String text : List.of(
                before + denial + between + permission + after, before + permission + between + denial + after)) {
            InferredNeed inferred = NeedInference.standard().infer(text);
            assertThat(inferred.need().privacy().orElse(Trust.CONTROLLED))
                    .as(inferred.explain())
                    .isEqualTo(Trust.CONTROLLED);
        }
    }

    @Provide
    Arbitrary<String> permissions() {
        return Arbitraries.of(
                "the cloud is fine",
                "public cloud ok",
                "it can go to the cloud",
                "our trusted partners are acceptable");
    }

    @Provide
    Arbitrary<String> denials() {
        return Arbitraries.of(
                "no",
                "not",
                "never",
                "without",
                "don't",
                "can\u02bct",
                "won`t",
                "isn\u2019t",
                "forbidden",
                "nobody",
                "nor",
                "except",
                "unless",
                "if",
                "only",
                "but",
                "doubt",
                "refuse",
                "NOT",
                "hardly",
                "prohibited",
                "maybe",
                "cannot",
                "none",
                "neither",
                "otherwise",
                "seldom",
                "?");
    }

    @Provide
    Arbitrary<String> neutral() {
        return Arbitraries.of(
                " ", ", ", ". ", " 24 GB ", " (", ") ", "\n\n", " and ", ": ", " needs CUDA, ", " paint a cat. ");
    }

    @Property(tries = 1000)
    void nothingIsRequiredThatHasNoClause(@ForAll("sentences") String text) {
        InferredNeed inferred = NeedInference.standard().infer(text);

        assertThat(inferred.need().equals(Need.builder().build()))
                .isEqualTo(inferred.clauses().stream()
                        .allMatch(clause -> clause.kind() == ClauseKind.PRIORITY
                                || clause.kind() == ClauseKind.MODE
                                || clause.value().equals("false")));
    }

    @Example
    void hostileTextsTakeNoLongerThanOthers() {
        List<String> pieces = List.of(
                "1 to ",
                "1-",
                "2 x ",
                "a",
                " ",
                "1,000",
                "not ",
                "cuda, ",
                "cuda or ",
                "in the repo ",
                "a mcp, ",
                "a/",
                "24 GB and ",
                "nothing but ",
                "cloud is fine ",
                "a-b ",
                "1h",
                "at most ",
                "without cuda, ",
                "0",
                "x",
                ".",
                "the local ",
                "mcp ",
                "if cloud ok ",
                "1 minute and ",
                "two gpus each ",
                "9 gb each ");
        NeedInference.standard().infer("warm");
        for (String piece : pieces) {
            String text = piece.repeat(NeedInference.MAX_CHARACTERS / piece.length());
            assertTimeout(Duration.ofSeconds(2), () -> NeedInference.standard().infer(text), piece);
        }
    }

    @Example
    void aTextHasABound() {
        String text = "a".repeat(NeedInference.MAX_CHARACTERS);

        assertThat(NeedInference.standard().infer(text).notUnderstood()).containsExactly(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NeedInference.standard().infer(text + "a"))
                .withMessage("text: 4001 characters (expected: at most 4000)");
    }

    @Provide
    Arbitrary<String> sentences() {
        return Arbitraries.of(FRAGMENTS).list().ofMaxSize(20).map(words -> String.join(" ", words));
    }

    private static void check(String text) {
        InferredNeed inferred = NeedInference.standard().infer(text);

        assertThat(NeedInference.standard().infer(text)).isEqualTo(inferred);
        assertThat(inferred.clauses()).allSatisfy(clause -> assertThat(text.substring(clause.start(), clause.end()))
                .isEqualTo(clause.words()));
        assertThat(inferred.notUnderstood())
                .allSatisfy(words -> assertThat(text).contains(words));
        assertThat(inferred.explain()).startsWith("need of ");
    }
}
