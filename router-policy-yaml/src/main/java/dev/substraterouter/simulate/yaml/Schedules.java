package dev.substraterouter.simulate.yaml;

import dev.substraterouter.internal.yaml.At;
import dev.substraterouter.internal.yaml.Draft;
import dev.substraterouter.internal.yaml.Section;
import dev.substraterouter.internal.yaml.Type;
import dev.substraterouter.internal.yaml.Types;
import dev.substraterouter.simulate.Schedule;
import dev.substraterouter.simulate.Schedule.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The keys that tell when an episode or a fault is on. */
final class Schedules {
    private static final List<String> FORMS = List.of("on and off", "from and for", "at", "always");
    private static final double NANOS = 1e9;

    private static final Type<Span> SPAN = Ranges.made(
            Section.ofDraft()
                    .required("from", Ranges.NOT_NEGATIVE, Draft.put("from"))
                    .required("for", Ranges.POSITIVE, Draft.put("for")),
            (draft, at) -> Optional.of(
                    new Span(seconds(draft.get("from", Duration.class)), seconds(draft.get("for", Duration.class)))));

    private static final Type<Schedule> SPANS = Ranges.read((node, at) -> {
        int before = at.problems().count();
        Optional<List<Span>> spans = Types.listOf(SPAN).read(node, at);
        if (spans.isEmpty() || at.problems().count() > before) {
            return Optional.empty();
        }
        if (spans.get().isEmpty()) {
            return at.refuse("missing", node, "an empty list", "at least one span with from and for");
        }
        reportOverlaps(spans.get(), at);
        return at.problems().count() > before ? Optional.empty() : Optional.of(Schedule.at(spans.get()));
    });

    private Schedules() {}

    /** A table with these keys besides its own. */
    static Section<Draft, Draft> in(Section<Draft, Draft> table) {
        return table.key("on", Ranges.POSITIVE, Draft.put("on"))
                .key("off", Ranges.POSITIVE, Draft.put("off"))
                .key("from", Ranges.NOT_NEGATIVE, Draft.put("from"))
                .key("for", Ranges.POSITIVE, Draft.put("for"))
                .key("at", SPANS, Draft.put("at"))
                .key("always", Ranges.checked(Types.FLAG, flag -> flag, "true, or no such key"), Draft.put("always"));
    }

    /** The schedule that a draft tells in one of the forms. */
    static Optional<Schedule> of(Draft draft, At at) {
        List<String> given = new ArrayList<>();
        note(draft.has("on") || draft.has("off"), FORMS.get(0), given);
        note(draft.has("from") || draft.has("for"), FORMS.get(1), given);
        note(draft.has("at"), FORMS.get(2), given);
        note(draft.has("always"), FORMS.get(3), given);
        if (given.size() != 1) {
            at.conflict(given.isEmpty() ? "no time" : String.join(" beside ", given), FORMS);
            return Optional.empty();
        }
        return switch (FORMS.indexOf(given.get(0))) {
            case 0 -> both("on", "off", draft, at, Schedule::alternating);
            case 1 -> both("from", "for", draft, at, Schedule::once);
            case 2 -> draft.find("at", Schedule.class);
            default -> Optional.of(Schedule.always());
        };
    }

    private interface OfTwo {
        Schedule of(Duration first, Duration second);
    }

    private static Optional<Schedule> both(String first, String second, Draft draft, At at, OfTwo schedule) {
        if (!draft.has(first) || !draft.has(second)) {
            at.missing(draft.has(first) ? second : first);
            return Optional.empty();
        }
        return Optional.of(schedule.of(draft.get(first, Duration.class), draft.get(second, Duration.class)));
    }

    private static void note(boolean present, String form, List<String> given) {
        if (present) {
            given.add(form);
        }
    }

    private static void reportOverlaps(List<Span> spans, At at) {
        double end = 0;
        for (int index = 0; index < spans.size(); index++) {
            Span span = spans.get(index);
            if (span.fromSeconds() < end) {
                At from = at.item(index).key("from");
                from.report(
                        "out-of-order",
                        at.problems().place(from.path()),
                        "from: before the end of the span before (expected: spans in order, none within another)");
            }
            end = span.fromSeconds() + span.lengthSeconds();
        }
    }

    private static double seconds(Duration span) {
        return span.getSeconds() + span.getNano() / NANOS;
    }
}
