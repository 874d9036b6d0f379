package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.infer.Clause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a knowledge gap.
 *
 * @param need the need that was inferred
 * @param clauses each thing that the words ask for, and the words
 * @param overridden those in whose place an explicit value stands
 * @param notUnderstood words that mean something and became nothing
 * @param contradictions what excludes each other, and how it was decided
 * @param chosen where it went, or would go now; null: nowhere
 * @param candidates every node that fits, with why it and why not
 * @param dispatch what that node answered, or why it was not asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GapAnswer(
        NeedView need,
        List<Asked> clauses,
        List<Asked> overridden,
        List<String> notUnderstood,
        List<String> contradictions,
        @Nullable Chosen chosen,
        List<RankedNode> candidates,
        Delivery dispatch) {
    /** Copies the lists. */
    public GapAnswer {
        clauses = List.copyOf(clauses);
        overridden = List.copyOf(overridden);
        notUnderstood = List.copyOf(notUnderstood);
        contradictions = List.copyOf(contradictions);
        candidates = List.copyOf(candidates);
    }

    /**
     * One thing that the words ask for.
     *
     * @param kind what it is about, in small letters
     * @param value what is asked for
     * @param words the words that say so
     */
    public record Asked(String kind, String value, String words) {
        static Asked of(Clause clause) {
            return new Asked(Served.small(clause.kind()), clause.value(), clause.words());
        }
    }

    /**
     * The node that was chosen.
     *
     * @param substrate its id
     * @param endpoint where work is sent; null: nowhere, or it is virtual
     * @param mcpUrl its MCP address; null: it has none
     * @param model the model it runs; null: nobody says
     * @param reasons why this one
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Chosen(
            String substrate,
            @Nullable String endpoint,
            @Nullable String mcpUrl,
            @Nullable String model,
            List<String> reasons) {
        /** Copies the list. */
        public Chosen {
            reasons = List.copyOf(reasons);
        }
    }
}
