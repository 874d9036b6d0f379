package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.simulate.Fault;
import dev.substraterouter.simulate.Fault.Kind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The keys that tell what goes wrong: the kind of fault names the substrate. */
final class FaultKeys {
    private static final int MOST_ROUTERS = 1_000;

    static final Type<Fault> FAULT = Ranges.made(table(), FaultKeys::fault);

    private FaultKeys() {}

    private static Section<Draft, Draft> table() {
        Section<Draft, Draft> table = Section.ofDraft();
        for (Kind kind : Kind.values()) {
            table.key(key(kind), Ranges.NAME, Draft.put(key(kind)));
        }
        return Schedules.in(table.oneOf(
                        Arrays.stream(Kind.values()).map(FaultKeys::key).toArray(String[]::new)))
                .key("factor", Ranges.SLOWING, Draft.put("factor"))
                .key("router", Ranges.count(0, MOST_ROUTERS - 1), Draft.put("router"));
    }

    private static String key(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Fault> fault(Draft draft, At at) {
        Kind kind = Arrays.stream(Kind.values())
                .filter(one -> draft.has(key(one)))
                .findFirst()
                .orElseThrow();
        if (kind != Kind.SLOW && draft.has("factor")) {
            return Times.doesNotApply("factor", "of slow", at);
        }
        if (kind != Kind.PARTITION && draft.has("router")) {
            return Times.doesNotApply("router", "of partition", at);
        }
        if (kind == Kind.SLOW && !draft.has("factor")) {
            at.missing("factor");
            return Optional.empty();
        }
        return Schedules.of(draft, at)
                .map(schedule -> new Fault(
                        kind,
                        draft.get(key(kind), String.class),
                        schedule,
                        draft.find("factor", Double.class).orElse(1.0),
                        draft.find("router", Integer.class).map(OptionalInt::of).orElse(OptionalInt.empty())));
    }
}
