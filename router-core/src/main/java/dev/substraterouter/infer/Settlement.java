package dev.substraterouter.infer;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Makes one need of all clauses: what excludes each other is decided for the stricter and reported. */
final class Settlement {
    private final Map<ClauseKind, Clause> chosen = new EnumMap<>(ClauseKind.class);
    private final List<Clause> added = new ArrayList<>();
    private final List<ClauseKind> undecided = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();

    Settlement(List<Clause> clauses) {
        clauses.forEach(this::add);
    }

    List<String> contradictions() {
        return contradictions;
    }

    Need need() {
        Need.Builder need = Need.builder();
        added.forEach(clause -> clause.kind().apply(need, clause.value()));
        chosen.values().forEach(clause -> clause.kind().apply(need, clause.value()));
        return need.build();
    }

    Optional<Priority> priority() {
        return value(ClauseKind.PRIORITY).map(Priority::valueOf);
    }

    Optional<PlacementMode> mode() {
        return value(ClauseKind.MODE).map(PlacementMode::valueOf);
    }

    private void add(Clause clause) {
        if (clause.kind().adds()) {
            added.add(clause);
        } else if (!undecided.contains(clause.kind())) {
            Clause before = chosen.putIfAbsent(clause.kind(), clause);
            if (before != null && !before.value().equals(clause.value())) {
                decide(before, clause);
            }
        }
    }

    private void decide(Clause before, Clause clause) {
        OptionalDouble old = before.kind().strictness(before.value());
        OptionalDouble now = clause.kind().strictness(clause.value());
        String both = before + " and " + clause + ": ";
        if (old.isEmpty() || now.isEmpty()) {
            chosen.remove(clause.kind());
            undecided.add(clause.kind());
            contradictions.add(both + "neither is taken");
            return;
        }
        Clause stricter = now.getAsDouble() > old.getAsDouble() ? clause : before;
        chosen.put(clause.kind(), stricter);
        contradictions.add(both + stricter.value() + " is taken");
    }

    private Optional<String> value(ClauseKind kind) {
        return Optional.ofNullable(chosen.get(kind))
                .map(clause -> clause.value().toUpperCase(Locale.ROOT));
    }
}
