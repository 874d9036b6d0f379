package dev.substraterouter.verify;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Findings for people, and as tests. */
final class Story {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");

    private static final int MOST_TOLD = 3;

    private static final int LONGEST_NAME = 80;

    private static final int DIGITS = 8;

    /** Whoever is turned down for good gets an exception, which is no pass. */
    private static final String PLACED = """
                    Optional<Placement> placed = assertDoesNotThrow(() -> router.tryPlace(request), rule);
                    assertTrue(placed.isPresent(), rule);
            """;

    private Story() {}

    static String of(String rule, Found.Telling telling, List<String> subjects, long count) {
        StringBuilder text = new StringBuilder(rule).append(": ").append(telling.message());
        telling.situation().ifPresent(situation -> {
            scene(text, situation);
            if (!situation.answer().placed()) {
                line(text, "queue", situation.queue().words());
            }
            line(text, "answer", situation.answer().toString());
            line(text, "", which(count) + others(situation.subject(), subjects));
        });
        return text.toString();
    }

    /** A change of what becomes of requests. */
    static String of(Answer before, Situation situation, long count) {
        StringBuilder text = new StringBuilder(situation.subject())
                .append(": ")
                .append(before)
                .append(" -> ")
                .append(situation.answer());
        scene(text, situation);
        line(text, "", which(count));
        return text.toString();
    }

    private static void scene(StringBuilder text, Situation situation) {
        line(text, "asks", situation.subject() + who(situation));
        situation.standings().forEach((id, standing) -> line(text, id, standing.words()));
    }

    private static String which(long count) {
        return count == 1 ? "the only such situation" : "the smallest of " + count + " such situations";
    }

    private static String others(String told, List<String> subjects) {
        List<String> others =
                subjects.stream().filter(subject -> !subject.equals(told)).toList();
        if (others.isEmpty()) {
            return "";
        }
        int more = others.size() - MOST_TOLD;
        return "; also for " + others.stream().limit(MOST_TOLD).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(String.format(Locale.ROOT, "%n  %-14s %s", label, value));
    }

    private static String who(Situation situation) {
        String identity =
                situation.request().identity().map(name -> ", asked by " + name).orElse("");
        String roles = situation.roles().isEmpty() ? "" : " (" + String.join(", ", situation.roles()) + ")";
        String waited = situation.waited().isZero()
                ? ""
                : ", waited " + situation.waited().toSeconds() + " s";
        return identity + roles + ", priority " + situation.priority() + waited + ", mode "
                + situation.request().mode();
    }

    /**
     * A test that fails as long as an answer is given; empty where a test cannot bring the situation about.
     *
     * @param rule what is broken
     * @param situation where
     * @param stands how the substrates stand there
     */
    static String test(String rule, Situation situation, List<Stand> stands) {
        if (!possible(situation, stands)) {
            return "";
        }
        String setting = stands.stream()
                .flatMap(stand -> stand.code() == null ? Stream.<String>of() : stand.code().stream())
                .map(line -> "        " + line + "\n")
                .collect(Collectors.joining());
        return "@Test\n"
                + "void " + name(rule) + "() {\n"
                + "    String rule = " + Code.text(rule) + ";\n"
                + "    try (SubstrateRouter router = SubstrateRouter.builder().policy(policy()).build()) {\n"
                + setting
                + "        RouteRequest request = " + Code.request(situation.request()) + ";\n"
                + situation.placedOn().map(Story::notPlacedOn).orElse(PLACED)
                + "    }\n"
                + "}\n";
    }

    private static boolean possible(Situation situation, List<Stand> stands) {
        boolean byChoice = situation.answer().waits() && stands.stream().anyMatch(Stand::free);
        return !byChoice // who does not wait is placed
                && situation.request().need().isEmpty()
                && situation.waited().isZero()
                && stands.stream().allMatch(stand -> stand.code() != null);
    }

    /** Whoever is turned down for good is not placed there either. */
    private static String notPlacedOn(String substrateId) {
        return "        Optional<String> placed;\n"
                + "        try {\n"
                + "            placed = router.tryPlace(request).map(Placement::substrateId);\n"
                + "        } catch (RoutingException refused) {\n"
                + "            placed = Optional.empty();\n"
                + "        }\n"
                + "        assertNotEquals(Optional.of(" + Code.text(substrateId) + "), placed, rule);\n";
    }

    /**
     * A rule as the name of a method: its words in camel case. Begun so that it is no word of Java's and no method of another, and ended so
     * that two rules of the same words have two.
     */
    static String name(String rule) {
        StringBuilder name = new StringBuilder("rule");
        WORD.matcher(rule).results().map(MatchResult::group).forEach(word -> name.append(capital(word)));
        name.setLength(Math.min(name.length(), LONGEST_NAME));
        String digest =
                UUID.nameUUIDFromBytes(rule.getBytes(StandardCharsets.UTF_8)).toString();
        return name.append('_').append(digest, 0, DIGITS).toString();
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
