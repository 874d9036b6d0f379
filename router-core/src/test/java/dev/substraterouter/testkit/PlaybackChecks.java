package dev.substraterouter.testkit;

import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.RoutingTrace;
import dev.substraterouter.verify.Constraints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Judges what a router did by what its policy says and by nothing that the router says of itself. Each finding is a text for the author of
 * the policy, with the story that led to it. Stateless and thread-safe.
 */
public final class PlaybackChecks {
    private PlaybackChecks() {}

    /** Every placement that breaks a clause of the policy or the request: trust, role, capabilities, quality, latency, cost, memory. */
    public static List<String> brokenConstraints(Playback playback) {
        List<String> findings = new ArrayList<>();
        forEach(playback, (request, policy, attempt) -> {
            Set<Reason> broken = broken(request, policy, attempt);
            if (!broken.isEmpty()) {
                findings.add(Words.placed(request, policy, attempt) + ", which breaks "
                        + Words.clauses(broken, request, policy, attempt) + "\n"
                        + playback.story(request.requestId().orElseThrow()));
            }
        });
        return findings;
    }

    /** Every placement of private work, whether a workload's or a need's, on a substrate that is trusted less. */
    public static List<String> privateWorkOutside(Playback playback) {
        List<String> findings = new ArrayList<>();
        forEach(playback, (request, policy, attempt) -> {
            Trust privacy = Words.privacy(request, policy);
            Optional<Trust> trust = policy.substrate(attempt.substrateId()).map(Substrate::trust);
            if (trust.isEmpty() || trust.get().compareTo(privacy) > 0) {
                findings.add(Words.placed(request, policy, attempt) + ", although it is " + Words.word(privacy) + "\n"
                        + playback.story(request.requestId().orElseThrow()));
            }
        });
        return findings;
    }

    /** Every request that was turned away, or placed elsewhere, when a recommendation just before named a substrate for it. */
    public static List<String> wrongRefusals(Playback playback) {
        List<String> findings = new ArrayList<>();
        for (Playback.Step step : playback.steps()) {
            step.answer()
                    .filter(PlaybackChecks::isWrong)
                    .ifPresent(answer -> findings.add("'" + answer.recommended().orElseThrow()
                            + "' was admissible, and '"
                            + playback.requests().get(answer.requestId()).workload() + "' was " + answer + "\n"
                            + playback.story(answer.requestId())));
        }
        return findings;
    }

    /** Where two playbacks of one schedule differ: with the same seed, nowhere. */
    public static List<String> differences(Playback one, Playback other) {
        List<String> findings = new ArrayList<>();
        differ(findings, "step", one.steps(), other.steps());
        differ(findings, "trace", one.traces(), other.traces());
        differ(findings, "event", one.events(), other.events());
        return findings;
    }

    /** The first that differs, as texts: what was asked for and what was put in force is the same in both. */
    private static void differ(List<String> findings, String what, List<?> one, List<?> other) {
        for (int at = 0; at < Math.max(one.size(), other.size()); at++) {
            String first = at < one.size() ? one.get(at).toString() : "none";
            String second = at < other.size() ? other.get(at).toString() : "none";
            if (!first.equals(second)) {
                findings.add(what + " " + (at + 1) + ": " + first + "\n  the second time: " + second);
                return;
            }
        }
    }

    private static boolean isWrong(Playback.Answer answer) {
        boolean elsewhere = answer.placed().isPresent() && !answer.placed().equals(answer.recommended());
        return answer.recommended().isPresent() && (answer.refused().isPresent() || elsewhere);
    }

    private static Set<Reason> broken(RouteRequest request, Policy policy, Attempt attempt) {
        Constraints constraints = new Constraints(policy);
        boolean batch = attempt.mode() == PlacementMode.BATCH;
        List<Constraints.Offer> offers = batch ? constraints.batch(request) : constraints.live(request);
        List<Set<Reason>> broken = offers.stream()
                .filter(offer -> offer.id().equals(attempt.substrateId())
                        && offer.candidate().model().equals(attempt.model()))
                .map(offer -> constraints.violated(request, offer))
                .toList();
        return broken.stream()
                .min(Comparator.comparingInt(Set::size))
                .orElseThrow(() ->
                        new AssertionError(Words.placed(request, policy, attempt) + ", where no candidate of it is"));
    }

    /** A placement to be judged. */
    @FunctionalInterface
    private interface Judgement {
        void judge(RouteRequest request, Policy policy, Attempt attempt);
    }

    private static void forEach(Playback playback, Judgement judgement) {
        for (RoutingTrace trace : playback.traces()) {
            RouteRequest request = playback.requests().get(trace.requestId());
            for (Attempt attempt : trace.attempts()) {
                judgement.judge(request, playback.policies().get(attempt.revision()), attempt);
            }
        }
    }
}
