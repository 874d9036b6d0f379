package dev.substraterouter.policy.cli;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.WorkloadQueue;
import dev.substraterouter.policy.cli.situation.Ending;
import dev.substraterouter.policy.cli.situation.Explanation;
import dev.substraterouter.policy.cli.text.Json;
import dev.substraterouter.policy.cli.text.Numbers;
import dev.substraterouter.policy.cli.text.Visible;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An explanation for people and for programs. */
final class ExplanationWords {
    private final RouteRequest request;
    private final Policy policy;
    private final Explanation explanation;

    ExplanationWords(RouteRequest request, Policy policy, Explanation explanation) {
        this.request = request;
        this.policy = policy;
        this.explanation = explanation;
    }

    /** The candidates in their order, those that never serve it, and what happens: a line each. */
    String text() {
        List<String> lines = new ArrayList<>(List.of(subject() + ":"));
        explanation.candidates().forEach(candidate -> lines.add("  " + candidate.rank() + ". " + line(candidate)));
        explanation
                .never()
                .forEach(never -> lines.add("  -  " + never.substrateId() + ": never: " + reasons(never.findings())));
        lines.add(Numbers.capital(ending(explanation.ending())));
        return lines.stream().map(Visible::of).collect(Collectors.joining("\n"));
    }

    private String subject() {
        String asked = request.need().map(Object::toString).orElse("'" + request.workload() + "'");
        return asked
                + request.identity().map(who -> " for " + who).orElse("")
                + request.priority()
                        .map(priority -> " with priority " + Numbers.word(priority))
                        .orElse("");
    }

    private static String line(RankedCandidate candidate) {
        List<String> parts = new ArrayList<>();
        String reasons = reasons(candidate.reasons());
        parts.add(
                candidate.admissible()
                        ? "now" + (reasons.isEmpty() ? "" : " (" + reasons + ")")
                        : "not now: " + reasons);
        wait(candidate)
                .filter(wait -> !wait.isZero())
                .ifPresent(wait -> parts.add("again in " + Numbers.seconds(wait)));
        candidate.expectedLatency().ifPresent(latency -> parts.add("takes " + Numbers.seconds(latency)));
        candidate.cost().ifPresent(cost -> parts.add("costs " + Numbers.of(cost)));
        candidate.why().ifPresent(why -> parts.add("(" + why + ")"));
        return candidate.substrateId() + ": " + String.join("; ", parts);
    }

    /** How long until it may serve the request; empty when no time changes that, since the request itself avoids it. */
    private static Optional<Duration> wait(RankedCandidate candidate) {
        return candidate.reasons().stream().anyMatch(finding -> finding.reason() == Reason.AVOIDED)
                ? Optional.empty()
                : Optional.of(candidate.expectedWait());
    }

    private static String reasons(List<Finding> findings) {
        return findings.stream().map(Finding::text).collect(Collectors.joining(", "));
    }

    private String ending(Ending ending) {
        if (ending instanceof Ending.Placed placed) {
            return "placed on " + placed.substrateId()
                    + placed.endpoint().map(uri -> " at " + uri).orElse("") + ", "
                    + Numbers.word(placed.path())
                    + (placed.degraded().isEmpty() ? "" : " (" + degraded(placed) + ")");
        }
        if (ending instanceof Ending.Refused refused) {
            return "refused, " + Numbers.word(refused.reason()) + ": " + refused.words();
        }
        boolean byChoice = explanation.candidates().stream().anyMatch(RankedCandidate::admissible);
        return "waits in one of " + capacity() + " places for at most " + Numbers.seconds(maxWait())
                + (byChoice ? ", though one is free: another is expected to finish earlier" : "");
    }

    private static String degraded(Ending.Placed placed) {
        return placed.degraded().stream().sorted().map(Numbers::word).collect(Collectors.joining(", "));
    }

    private int capacity() {
        return queue().map(WorkloadQueue::capacity)
                .filter(own -> own.isPresent())
                .map(own -> own.getAsInt())
                .orElse(policy.queue().capacity());
    }

    private Duration maxWait() {
        return request.maxWait()
                .or(() -> queue().flatMap(WorkloadQueue::maxWait))
                .orElse(policy.queue().maxWait());
    }

    private Optional<WorkloadQueue> queue() {
        return policy.workload(request.workload()).flatMap(workload -> workload.queue());
    }

    /** The same as one object. */
    String json() {
        return Json.object(json -> {
            json.text(
                    request.need().isPresent() ? "need" : "workload",
                    request.need().map(Object::toString).orElse(request.workload()));
            json.objects("candidates", explanation.candidates(), ExplanationWords::fields);
            json.objects("never", explanation.never(), ExplanationWords::fields);
            json.object("ending", this::fields);
        });
    }

    private static void fields(Json json, RankedCandidate candidate) {
        json.number("rank", candidate.rank()).text("substrate", candidate.substrateId());
        json.text("endpoint", candidate.endpoint()).text("mcp_url", candidate.mcpUrl());
        json.flag("admissible", candidate.admissible());
        json.objects("reasons", candidate.reasons(), ExplanationWords::fields);
        json.seconds("expected_wait_s", wait(candidate));
        json.seconds("expected_latency_s", candidate.expectedLatency());
        json.number("cost", candidate.cost()).text("why", candidate.why());
    }

    private static void fields(Json json, Considered never) {
        json.text("substrate", never.substrateId());
        json.objects("reasons", never.findings(), ExplanationWords::fields);
    }

    private static void fields(Json json, Finding finding) {
        json.text("code", Numbers.code(finding.reason())).text("text", finding.text());
    }

    private void fields(Json json) {
        Ending ending = explanation.ending();
        if (ending instanceof Ending.Placed placed) {
            json.text("what", "placed").text("substrate", placed.substrateId()).text("endpoint", placed.endpoint());
            json.text("path", Numbers.code(placed.path())).text("mode", Numbers.code(placed.mode()));
            json.texts(
                    "degraded",
                    placed.degraded().stream().sorted().map(Numbers::code).toList());
        } else if (ending instanceof Ending.Refused refused) {
            json.text("what", "refused").text("reason", Numbers.code(refused.reason()));
            json.text("message", refused.words()).seconds("retry_after_s", refused.retryAfter());
        } else {
            json.text("what", "waits").number("places", capacity()).seconds("max_wait_s", maxWait());
        }
    }
}
