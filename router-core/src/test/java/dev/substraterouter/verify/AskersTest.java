package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.testkit.Policies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskersTest {
    private static Policy policy(String... roles) {
        Policy.Builder policy = Policies.smallest().toBuilder();
        for (String role : roles) {
            String[] parts = role.split(":", 2);
            policy.role(Role.builder(parts[0])
                    .identities(parts[1].split(","))
                    .workloads("*")
                    .build());
        }
        return policy.build();
    }

    private static Set<List<String>> sets(String... roles) {
        return Askers.of(policy(roles)).all().stream().map(Askers.Asker::roles).collect(Collectors.toSet());
    }

    @Test
    void withoutRolesNobodyInParticularAsks() {
        assertThat(Askers.of(Policies.smallest()).all()).containsExactly(new Askers.Asker(Optional.empty(), List.of()));
    }

    @Test
    void aPatternIsTriedAloneWhereAnotherNamesWhatItsStarMayBe() {
        assertThat(sets("agent:agent-*", "lead:agent-1"))
                .containsExactlyInAnyOrder(List.of(), List.of("agent"), List.of("agent", "lead"));
        assertThat(sets("any:*", "one:1")).containsExactlyInAnyOrder(List.of(), List.of("any"), List.of("any", "one"));
    }

    @Test
    void aStarMayBeEmpty() {
        assertThat(sets("agent:agent*", "root:agent")).contains(List.of("agent", "root"), List.of("agent"));
        assertThat(sets("agent:a*-*", "bare:a-*"))
                .containsExactlyInAnyOrder(List.of(), List.of("agent"), List.of("agent", "bare"));
    }

    @Test
    void patternsThatOverlapInTheMiddleAreMetAtOnce() {
        assertThat(sets("agent:agent-*", "prod:*-prod-*"))
                .containsExactlyInAnyOrder(List.of(), List.of("agent"), List.of("prod"), List.of("agent", "prod"));
        assertThat(sets("a:ab*", "b:*bc")).contains(List.of("a", "b"));
        assertThat(sets("a:*x*y*", "b:*y*x*")).contains(List.of("a", "b"));
    }

    @Test
    void thePairIsMetWithAndWithoutAThird() {
        assertThat(sets("agent:agent-*", "prod:*-prod-*", "both:agent-prod-*"))
                .contains(List.of("agent", "prod"), List.of("agent", "prod", "both"));
    }

    @Test
    void onlyRolesThatSomebodyHasOccur() {
        assertThat(sets("a:a-*", "b:b-*")).containsExactlyInAnyOrder(List.of(), List.of("a"), List.of("b"));
        Policy policy = policy("a:a-*", "b:*-b", "c:*c*");
        for (Askers.Asker asker : Askers.of(policy).all()) {
            assertThat(Askers.roles(policy, asker.identity())).isEqualTo(asker.roles());
        }
    }

    @Test
    void ofTwoPoliciesEachPairOfRolesAsks() {
        Policy before = policy("agent:agent-*", "guest:svc-*");
        Policy after = policy("agent:agent-*,svc-*", "guest:guest-*");

        Askers askers = Askers.of(after, before);

        assertThat(askers.all().stream().map(asker -> List.of(Askers.roles(before, asker.identity()), asker.roles())))
                .containsExactlyInAnyOrder(
                        List.of(List.of(), List.of()),
                        List.of(List.of("agent"), List.of("agent")),
                        List.of(List.of("guest"), List.of("agent")),
                        List.of(List.of(), List.of("guest")));
    }

    @Test
    void theNumberIsBoundedAndWhatIsLeftOutIsTold() {
        String[] roles = IntStream.range(0, 100)
                .mapToObj(n -> "r" + n + ":*-" + n + "-*")
                .toArray(String[]::new);

        Askers askers = Askers.of(policy(roles));

        assertThat(askers.all()).hasSizeBetween(100, 1 + 2 * 100 + Askers.MOST_OF_PAIRS + 1);
        assertThat(askers.leftOut())
                .singleElement()
                .asString()
                .startsWith("identities that two patterns match at once, for ")
                .contains("pairs of patterns: ")
                .endsWith("and more");
        assertThat(Askers.of(policy("a:a-*", "b:*-b")).leftOut()).isEmpty();
        assertThat(Askers.of(policy("a:" + "x".repeat(256) + "*")).leftOut())
                .containsExactly(
                        "identities of more than 256 characters, for 1 patterns or pairs: '" + "x".repeat(256) + "*'");
    }

    /** Against every text of up to four letters: what two patterns may meet at once, they are met by, and by no longer text than need be. */
    @Test
    void twoPatternsAreMetWhereverATextMeetsBoth() {
        List<String> texts = texts("ab1", 4);
        SplittableRandom random = new SplittableRandom(11);
        for (int sample = 0; sample < 3_000; sample++) {
            String one = pattern(random);
            String other = pattern(random);
            Optional<String> shortest = CommonText.shortest(one, other);
            Optional<String> known = texts.stream()
                    .filter(text -> Constraints.matches(one, text) && Constraints.matches(other, text))
                    .findFirst();
            known.ifPresent(text -> {
                assertThat(shortest).as(one + " " + other).isPresent();
                assertThat(shortest.orElseThrow()).as(one + " " + other).hasSameSizeAs(text);
            });
            for (Optional<String> text : List.of(shortest, CommonText.apart(one, other, "1"))) {
                assertThat(text.isPresent()).isEqualTo(shortest.isPresent());
                text.ifPresent(it -> assertThat(Constraints.matches(one, it) && Constraints.matches(other, it))
                        .as(one + " " + other + " " + it)
                        .isTrue());
            }
            if (shortest.isPresent()) {
                assertThat(CommonText.mayMeet(one, other)).as(one + " " + other).isTrue();
            }
        }
    }

    /** Two patterns beside each other: every set of roles that some text has is asked for. */
    @Test
    void everySetOfTwoRolesIsAskedFor() {
        List<String> texts = texts("ab1", 6);
        SplittableRandom random = new SplittableRandom(12);
        for (int sample = 0; sample < 300; sample++) {
            String one = pattern(random);
            String other = pattern(random);
            Policy policy = policy("one:" + one, "other:" + other);
            Set<List<String>> asked = new HashSet<>();
            Askers.of(policy).all().forEach(asker -> asked.add(asker.roles()));
            Set<List<String>> had = new HashSet<>(Set.of(List.of()));
            texts.stream()
                    .filter(text -> !text.isBlank())
                    .forEach(text -> had.add(Askers.roles(policy, Optional.of(text))));
            assertThat(asked).as(one + " " + other).containsAll(had);
        }
    }

    private static String pattern(SplittableRandom random) {
        return random.ints(1 + random.nextInt(4), 0, 3)
                .mapToObj(at -> "ab*".substring(at, at + 1))
                .collect(Collectors.joining());
    }

    /** Every text of some letters, the short ones first. */
    private static List<String> texts(String letters, int longest) {
        List<String> all = new ArrayList<>(List.of(""));
        for (int at = 0; at < all.size() && all.get(at).length() < longest; at++) {
            String text = all.get(at);
            letters.chars().forEach(letter -> all.add(text + (char) letter));
        }
        return all;
    }
}
