package dev.substraterouter.testkit;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Reason;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a policy and a request say, in the words of the policy file. */
final class Words {
    private Words() {}

    /** Who was placed where. */
    static String placed(RouteRequest request, Policy policy, Attempt attempt) {
        return "'" + request.workload() + "'"
                + request.identity().map(who -> " for '" + who + "'").orElse("") + " was placed on '"
                + attempt.substrateId() + "'"
                + policy.substrate(attempt.substrateId())
                        .map(it -> " (" + word(it.kind()) + ", trust: " + word(it.trust()) + ")")
                        .orElse("")
                + " by revision " + policy.revision();
    }

    static Trust privacy(RouteRequest request, Policy policy) {
        return request.need()
                .flatMap(Need::privacy)
                .or(() -> policy.workload(request.workload()).map(Workload::privacy))
                .orElse(Trust.CONTROLLED);
    }

    /** Broken clauses with what was asked for and what the substrate has. */
    static String clauses(Collection<Reason> broken, RouteRequest request, Policy policy, Attempt attempt) {
        Optional<Workload> workload = policy.workload(request.workload());
        Optional<Substrate> substrate = policy.substrate(attempt.substrateId());
        return broken.stream()
                .map(reason -> switch (reason) {
                    case PRIVACY ->
                        "privacy: " + word(privacy(request, policy)) + " (trust there: "
                                + substrate
                                        .map(Substrate::trust)
                                        .map(Words::word)
                                        .orElse("unknown") + ")";
                    case ROLE ->
                        "roles: " + policy.roles().stream().map(Role::name).toList() + " ('"
                                + request.identity().orElse("nobody") + "' may not use it)";
                    case CAPABILITY ->
                        "capabilities: "
                                + request.need()
                                        .map(Need::capabilities)
                                        .or(() -> workload.map(Workload::capabilities))
                                        .orElse(List.of())
                                + " (there: "
                                + substrate.map(Substrate::capabilities).orElse(List.of()) + ")";
                    case QUALITY ->
                        "min_quality"
                                + figure(request.need()
                                        .map(Need::minQuality)
                                        .or(() -> workload.map(Workload::minQuality)));
                    case LATENCY ->
                        "max_latency"
                                + figure(request.need()
                                        .map(Need::maxLatency)
                                        .or(() -> workload.map(Workload::maxLatency)));
                    case COST ->
                        "max_cost"
                                + figure(request.need().map(Need::maxCost).or(() -> workload.map(Workload::maxCost)));
                    case TOO_SMALL ->
                        "vram_gb" + figure(request.need().map(Need::vramGb).or(() -> workload.map(Workload::vramGb)))
                                + " (there: "
                                + substrate
                                        .map(Substrate::vramGb)
                                        .map(Words::shown)
                                        .orElse("unknown") + ")";
                    default -> word(reason);
                })
                .collect(Collectors.joining(", "));
    }

    private static String figure(Optional<?> value) {
        return ": " + value.map(Words::shown).orElse("absent");
    }

    private static String shown(Object value) {
        return value.toString().replaceAll("^Optional\\w*[\\[.]?|\\]$", "");
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
