package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts explicit values over inferred ones, kind by kind. */
final class Explicit {
    private final Need explicit;

    Explicit(Need explicit) {
        this.explicit = explicit;
    }

    /** The inferred need with every explicit value in the place of what was inferred. */
    Need over(Need inferred) {
        Need.Builder need = Need.builder();
        need.capabilities(either(Need::capabilities, inferred).toArray(String[]::new));
        need.reaches(either(Need::reaches, inferred).toArray(String[]::new));
        Need memory = explicit.vramGb().isPresent() || explicit.spansGpus() ? explicit : inferred;
        Need amount = explicit.vramGb().isPresent() ? explicit : inferred;
        amount.vramGb().ifPresent(need::vramGb);
        need.spansGpus(memory.spansGpus());
        explicit.codebase().or(inferred::codebase).ifPresent(need::codebase);
        explicit.privacy().or(inferred::privacy).ifPresent(need::privacy);
        explicit.maxLatency().or(inferred::maxLatency).ifPresent(need::maxLatency);
        explicit.duration().or(inferred::duration).ifPresent(need::duration);
        (explicit.minQuality().isPresent() ? explicit : inferred).minQuality().ifPresent(need::minQuality);
        (explicit.maxCost().isPresent() ? explicit : inferred).maxCost().ifPresent(need::maxCost);
        need.minAvailability(explicit.minAvailability() > 0 ? explicit.minAvailability() : inferred.minAvailability());
        return need.build();
    }

    /** Whether an explicit value of the clause's kind says otherwise. */
    boolean overrides(Clause clause) {
        Need.Builder alone = Need.builder();
        clause.kind().apply(alone, clause.value());
        Need said = alone.build();
        return switch (clause.kind()) {
            case CAPABILITY -> lacks(explicit.capabilities(), said.capabilities());
            case REACHES -> lacks(explicit.reaches(), said.reaches());
            case VRAM -> explicit.vramGb().isPresent() && !explicit.vramGb().equals(said.vramGb());
            case SPANS_GPUS ->
                (explicit.vramGb().isPresent() || explicit.spansGpus()) && explicit.spansGpus() != said.spansGpus();
            case CODEBASE ->
                differs(explicit.codebase().orElse(null), said.codebase().orElse(null));
            case PRIVACY ->
                differs(explicit.privacy().orElse(null), said.privacy().orElse(null));
            case LATENCY ->
                differs(explicit.maxLatency().orElse(null), said.maxLatency().orElse(null));
            case DURATION ->
                differs(explicit.duration().orElse(null), said.duration().orElse(null));
            case QUALITY ->
                explicit.minQuality().isPresent() && !explicit.minQuality().equals(said.minQuality());
            case COST -> explicit.maxCost().isPresent() && !explicit.maxCost().equals(said.maxCost());
            case AVAILABILITY -> explicit.minAvailability() > 0 && explicit.minAvailability() != said.minAvailability();
            case PRIORITY, MODE -> false;
        };
    }

    /** What is to be said where the explicit privacy is weaker than the words. */
    List<String> weaker(List<Clause> overridden) {
        List<String> all = new ArrayList<>();
        for (Clause clause : overridden) {
            if (clause.kind() == ClauseKind.PRIVACY && isWeaker(clause)) {
                all.add("explicit privacy " + name(explicit.privacy().orElseThrow()) + " is weaker than " + clause
                        + ": the explicit one is taken");
            }
        }
        return all;
    }

    private boolean isWeaker(Clause clause) {
        return explicit.privacy()
                        .orElseThrow()
                        .compareTo(Trust.valueOf(clause.value().toUpperCase(Locale.ROOT)))
                > 0;
    }

    private List<String> either(Function<Need, List<String>> part, Need inferred) {
        return part.apply(explicit).isEmpty() ? part.apply(inferred) : part.apply(explicit);
    }

    private static boolean lacks(List<String> explicit, List<String> said) {
        return !explicit.isEmpty() && !explicit.containsAll(said);
    }

    private static boolean differs(@Nullable Object explicit, @Nullable Object said) {
        return explicit != null && !Objects.equals(explicit, said);
    }

    private static String name(Trust trust) {
        return trust.name().toLowerCase(Locale.ROOT);
    }
}
