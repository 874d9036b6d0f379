package dev.substraterouter.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.Trust;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of hosts, explicit values, and what the answer says of both. */
class NeedInferenceRulesTest {
    private static final NeedInference STANDARD = NeedInference.standard();

    @Test
    void aClauseKnowsItsWords() {
        InferredNeed inferred = STANDARD.infer("Needs CUDA and at least 24 gigabytes, asap");

        assertThat(inferred.clauses())
                .containsExactly(
                        new Clause(ClauseKind.CAPABILITY, "cuda", "CUDA", 6, 10),
                        new Clause(ClauseKind.VRAM, "24", "at least 24 gigabytes", 15, 36),
                        new Clause(ClauseKind.PRIORITY, "high", "asap", 38, 42));
        assertThat(inferred.priority()).contains(Priority.HIGH);
        assertThat(inferred.isClear()).isTrue();
    }

    @Test
    void itExplainsItself() {
        assertThat(STANDARD.infer("24 GB, not on CUDA, 12 or 16 GB").explain()).isEqualTo("""
                        need of 24 GB
                          vram 24 ("24 GB")
                          vram 16 ("12 or 16 GB")
                          not understood: "not on CUDA"
                          contradiction: vram "12 or 16 GB": two amounts; the larger is required
                          contradiction: vram 24 ("24 GB") and vram 16 ("12 or 16 GB"): 24 is taken""");
    }

    @Test
    void aHostAddsItsWords() {
        NeedInference inference = STANDARD.with(InferenceRule.phrase("big box", ClauseKind.CAPABILITY, "blackwell"));

        assertThat(inference.infer("on the Big-Box").need().capabilities()).containsExactly("blackwell");
        assertThat(inference.infer("not on the big box").need().capabilities()).isEmpty();
        assertThat(inference.infer("not on the big box").notUnderstood()).containsExactly("not on the big box");
        assertThat(STANDARD.infer("on the big box").notUnderstood()).containsExactly("big box");
    }

    @Test
    void aHostsRuleReadsFirst() {
        NeedInference inference =
                STANDARD.with(InferenceRule.phrase("our private cloud", ClauseKind.PRIVACY, "partner"));

        assertThat(inference.infer("in our private cloud").need().privacy()).contains(Trust.PARTNER);
        assertThat(inference.infer("in our private cloud, confidential").need().privacy())
                .contains(Trust.CONTROLLED);
    }

    @Test
    void aRuleMustAnswerWithWordsOfTheSentence() {
        NeedInference inference =
                STANDARD.with(sentence -> List.of(new Clause(ClauseKind.CAPABILITY, "cuda", "gpu", 0, 3)));

        assertThat(inference.infer("gpu").need().capabilities()).containsExactly("cuda");
        assertThatIllegalArgumentException().isThrownBy(() -> inference.infer("cpu"));
        assertThatIllegalArgumentException().isThrownBy(() -> inference.infer(""));
        assertThatIllegalArgumentException().isThrownBy(() -> InferenceRule.phrase("big", ClauseKind.VRAM, "lots"));
        assertThatIllegalArgumentException().isThrownBy(() -> InferenceRule.phrase(" ", ClauseKind.VRAM, "24"));
        assertThatIllegalArgumentException().isThrownBy(() -> InferenceRule.phrase("big", ClauseKind.DURATION, "long"));
    }

    @Test
    void explicitValuesWinKindByKind() {
        Need explicit = Need.builder().capabilities("rocm").vramGb(8).build();

        InferredNeed inferred = STANDARD.infer("CUDA, 2 x 16 GB, in the mirage repo", explicit);

        assertThat(inferred.need())
                .isEqualTo(Need.builder()
                        .capabilities("rocm")
                        .vramGb(8)
                        .codebase("mirage")
                        .build());
        assertThat(inferred.overridden())
                .extracting(Clause::kind)
                .containsExactly(ClauseKind.CAPABILITY, ClauseKind.VRAM, ClauseKind.SPANS_GPUS);
        assertThat(inferred.clauses()).extracting(Clause::kind).containsExactly(ClauseKind.CODEBASE);
    }

    @Test
    void aClauseThatAgreesWithTheExplicitValueStays() {
        Need explicit = Need.builder().capabilities("cuda", "ada").build();

        InferredNeed inferred = STANDARD.infer("CUDA", explicit);

        assertThat(inferred.need()).isEqualTo(explicit);
        assertThat(inferred.overridden()).isEmpty();
    }

    @Test
    void anExplicitPrivacyWinsButItsWeaknessIsTold() {
        Need explicit = Need.builder().privacy(Trust.PUBLIC).build();

        InferredNeed inferred = STANDARD.infer("must stay local", explicit);

        assertThat(inferred.need().privacy()).contains(Trust.PUBLIC);
        assertThat(inferred.contradictions())
                .containsExactly("explicit privacy public is weaker than privacy controlled (\"must stay local\"): "
                        + "the explicit one is taken");
        assertThat(STANDARD.infer(
                                "cloud is fine",
                                Need.builder().privacy(Trust.CONTROLLED).build())
                        .contradictions())
                .isEmpty();
    }

    @Test
    void moreNamesThanANeedHoldsAreLeft() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= Need.MAX_NAMES; i++) {
            text.append("via the server").append(i).append(" mcp. ");
        }

        InferredNeed inferred = STANDARD.infer(text.toString());

        assertThat(inferred.need().reaches()).hasSize(Need.MAX_NAMES);
        assertThat(inferred.notUnderstood()).containsExactly("server64 mcp");
    }
}
