package dev.substraterouter.testkit;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyProblem;
import dev.substraterouter.verify.PolicyFinding;
import dev.substraterouter.verify.PolicyLint;
import dev.substraterouter.verify.PolicyRule;
import dev.substraterouter.verify.PolicyVerifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What every policy should keep, ready to run in a host's CI. A test class implements it and says which policy; jqwik runs the rest:
 *
 * <pre>{@code
 * class PolicyTest implements PolicyContract {
 *     public Policy policy() throws IOException {
 *         return YamlPolicy.load(Path.of("policy.yaml"));
 *     }
 * }
 * }</pre>
 *
 * <p>Two parts are exact, the lint and the verifier, which tries every combination of states; the others play random stories, of statuses,
 * requests, failures and reloads, to a router on hand-driven time, and judge it by what the policy says. A failure tells the story that led
 * to it, as short as jqwik could make it. An implementation needs no state; the policy is asked for anew for each story.
 */
public interface PolicyContract {
    /**
     * The policy that is to be proved. Called often, some hundred times: should be quick, and always the same.
     *
     * @throws Exception if there is none, which fails the test
     */
    Policy policy() throws Exception;

    /** What must hold of this policy beyond what every policy must keep; by default nothing. */
    default List<PolicyRule> rules() {
        return List.of();
    }

    /** The codes of the lint's warnings that are meant, for example {@code unused-capability}; by default none. Errors are never tolerated. */
    default Set<String> toleratedLint() {
        return Set.of();
    }

    /** The lint finds no error, and no warning that is not tolerated. */
    @Example
    default void theLintFindsNothing() throws Exception {
        List<PolicyProblem> problems = PolicyLint.lint(policy()).stream()
                .filter(problem -> problem.isError() || !toleratedLint().contains(problem.code()))
                .toList();
        none("the lint has found", problems.stream().map(PolicyProblem::toString));
    }

    /** The verifier finds no state in which a constraint, or one of the {@link #rules()}, is broken. */
    @Example
    default void theVerifierFindsNothing() throws Exception {
        List<PolicyFinding> findings = PolicyVerifier.verify(policy(), rules().toArray(PolicyRule[]::new));
        none("the verifier has found", findings.stream().map(PolicyFinding::toString));
    }

    /** Every workload is served, for somebody who may ask for it, while every substrate is healthy and idle. */
    @Example
    default void everyWorkloadIsServedWhenAllIsWell() throws Exception {
        none("while every substrate is healthy and idle", FairWeather.unserved(policy()).stream());
    }

    /** No placement, whichever way it came about, breaks what the policy says of trust, roles, capabilities, quality, latency, cost, memory. */
    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    default void noPlacementBreaksAConstraint(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        none("placements that the policy forbids", PlaybackChecks.brokenConstraints(schedule.play(seed)).stream());
    }

    /** Private work stays where the policy trusts it to. */
    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    default void privateWorkStaysInside(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        none("private work outside", PlaybackChecks.privateWorkOutside(schedule.play(seed)).stream());
    }

    /** Nobody is turned away while a recommendation names a substrate for the same request. */
    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    default void nobodyIsTurnedAwayWhileASubstrateIsAdmissible(
            @ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        none("turned away or sent elsewhere", PlaybackChecks.wrongRefusals(schedule.play(seed)).stream());
    }

    /** When all work has ended no lease, waiter or task is left. */
    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    default void nothingIsLeftBehind(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        Playback playback = schedule.play(seed);
        none("left behind after\n" + playback.story(), playback.leaks().stream());
    }

    /** The same story under the same seed ends the same. */
    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    default void theSameSeedGivesTheSameAnswers(@ForAll("schedules") EventSchedule schedule, @ForAll long seed) {
        none("differences", PlaybackChecks.differences(schedule.play(seed), schedule.play(seed)).stream());
    }

    /** The stories that the properties play: of this policy, reloaded with itself. */
    @Provide
    default Arbitrary<EventSchedule> schedules() throws Exception {
        return EventSchedules.of(policy());
    }

    private static void none(String what, Stream<String> findings) {
        List<String> all = findings.toList();
        if (!all.isEmpty()) {
            throw new AssertionError(what + " (" + all.size() + "):\n" + String.join("\n", all));
        }
    }
}
