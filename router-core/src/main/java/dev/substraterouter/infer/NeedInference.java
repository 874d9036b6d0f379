package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Infers a need from a sentence: by rules, the same for the same words, without guessing. English only. Immutable and
 * thread-safe; its time grows with the length of the text, which is at most {@value #MAX_CHARACTERS} characters.
 *
 * <p>A place that satisfies the need satisfies the sentence, as far as a need can say it: of two amounts the larger is
 * required, of "CUDA or ROCm" the first, of two privacies the stricter, each with a note among the contradictions. What a
 * need cannot say is never dropped: a prohibition ("not on CUDA"), a wish or a condition stands in
 * {@link InferredNeed#notUnderstood()}; "no NVLink needed" asks for nothing and needs no word. A card stands for its
 * generation: an A100 for {@code ampere}, a 4090 for {@code ada}, an H100 for {@code hopper}.
 *
 * <p>Privacy is never guessed weaker than asked: words of secrecy ask for controlled places, only a plain permission ("the
 * cloud is fine") in a text without any denial, doubt or restriction asks for less; every other one is not understood and leaves
 * the privacy open, which is the strictest.
 *
 * <p>Sizes are GiB, whatever they are called; "24,5" is 24.5, "24,576" is 24576; "24.576", "24 576" and "1e3" may mean two
 * things and are not understood.
 */
public final class NeedInference {
    /** How long a text may be, in {@code char}s. */
    public static final int MAX_CHARACTERS = 4000;

    private static final List<Rule> RULES = List.of(
            new CapabilityRule(),
            new MemoryRule(),
            new TimeRule(),
            new ShareRule(),
            new CostRule(),
            new NamesRule(),
            new UrgencyRule(),
            new PrivacyRule());
    private static final NeedInference STANDARD = new NeedInference(List.of());

    private final List<InferenceRule> rules;

    private NeedInference(List<InferenceRule> rules) {
        this.rules = rules;
    }

    /** The inference by the standard rules alone. */
    public static NeedInference standard() {
        return STANDARD;
    }

    /** An inference with one more rule, which reads after the rules added before it and before the standard ones. */
    public NeedInference with(InferenceRule rule) {
        List<InferenceRule> more = new ArrayList<>(rules);
        more.add(Objects.requireNonNull(rule, "rule"));
        return new NeedInference(List.copyOf(more));
    }

    /**
     * What the sentence, or several of them, asks for; an empty one asks for nothing.
     *
     * @throws IllegalArgumentException if the text is longer than {@value #MAX_CHARACTERS} characters, or an added rule
     *     answers with a clause whose words are not those of its place
     */
    public InferredNeed infer(String text) {
        return infer(text, Need.builder().build());
    }

    /**
     * What the sentence asks for, with explicit values in the place of inferred ones, kind by kind: explicit capabilities
     * replace all inferred ones, explicit reached servers likewise; an explicit amount of memory decides whether it spans
     * GPUs, too. An explicit privacy wins even where the words ask for a stricter one; that is among the contradictions.
     *
     * @throws IllegalArgumentException if the text is longer than {@value #MAX_CHARACTERS} characters, or an added rule
     *     answers with a clause whose words are not those of its place
     */
    public InferredNeed infer(String text, Need explicit) {
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "text: " + text.length() + " characters (expected: at most " + MAX_CHARACTERS + ")");
        }
        Reading reading = new Reading(Sentence.of(text));
        rules.forEach(rule -> HostRule.read(rule, reading));
        reading.reserve();
        RULES.forEach(rule -> rule.read(reading));
        return settle(reading, new Explicit(explicit));
    }

    private static InferredNeed settle(Reading reading, Explicit explicit) {
        List<Clause> kept = new ArrayList<>();
        List<Clause> overridden = new ArrayList<>();
        reading.clauses().forEach(clause -> (explicit.overrides(clause) ? overridden : kept).add(clause));
        Settlement settlement = new Settlement(reading.clauses());
        List<String> contradictions = new ArrayList<>(reading.contradictions());
        contradictions.addAll(settlement.contradictions());
        contradictions.addAll(explicit.weaker(overridden));
        return new InferredNeed(
                explicit.over(settlement.need()),
                kept,
                overridden,
                reading.notUnderstood(),
                contradictions,
                settlement.priority(),
                settlement.mode());
    }
}
