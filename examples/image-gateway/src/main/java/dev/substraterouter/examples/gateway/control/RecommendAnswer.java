package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.RankedCandidate;
import dev.substraterouter.Recommendation;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.examples.gateway.web.Json;
import dev.substraterouter.examples.gateway.web.Problem;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Says where a request of the caller would go, without placing it. Thread-safe. */
final class RecommendAnswer {
    private static final double MAX_SECONDS = 365 * 86_400.0;

    private final SubstrateRouter router;

    RecommendAnswer(SubstrateRouter router) {
        this.router = router;
    }

    void recommend(Call call) throws IOException, ProblemException {
        RouteRequest request = call.caller().asking(request(call.body()));
        try {
            Recommendation found = router.recommend(request);
            call.answer(
                    200,
                    new Found(found.best().map(RankedCandidate::substrateId), found.candidates(), found.explain()));
        } catch (RoutingException refused) {
            throw new ProblemException(Problem.of(refused));
        }
    }

    private static RouteRequest request(String body) throws ProblemException {
        try {
            return Json.MAPPER.readValue(body, Asked.class).request();
        } catch (JacksonException | IllegalArgumentException wrong) {
            String why = wrong instanceof JacksonException json ? json.getOriginalMessage() : wrong.getMessage();
            throw new ProblemException(400, "Not a request", String.valueOf(why));
        }
    }

    /**
     * What is asked.
     *
     * @param workload its name; or else a need is given
     */
    record Asked(
            @Nullable String workload,
            @Nullable AskedNeed need,
            @Nullable String priority,
            @Nullable String prefer,
            @Nullable List<String> avoid) {
        RouteRequest request() {
            if ((workload == null) == (need == null)) {
                throw new IllegalArgumentException(
                        "workload, need: " + (need == null ? "neither" : "both") + " (expected: one of them)");
            }
            RouteRequest request =
                    need == null ? RouteRequest.workload(String.valueOf(workload)) : RouteRequest.need(need.need());
            request = priority == null ? request : request.priority(constant("priority", Priority.class, priority));
            request = prefer == null ? request : request.prefer(prefer);
            return avoid == null ? request : request.avoid(avoid.toArray(String[]::new));
        }
    }

    /** What is needed; every key may be absent. */
    record AskedNeed(
            @Nullable List<String> capabilities,
            @Nullable Double vramGb,
            @Nullable Boolean spansGpus,
            @Nullable String codebase,
            @Nullable List<String> reaches,
            @Nullable String privacy,
            @Nullable Double minQuality,
            @Nullable Double maxLatencySeconds,
            @Nullable Double maxCost,
            @Nullable Double minAvailability,
            @Nullable Double durationSeconds) {
        Need need() {
            Need.Builder need = Need.builder();
            Optional.ofNullable(capabilities).ifPresent(names -> need.capabilities(names.toArray(String[]::new)));
            Optional.ofNullable(vramGb).ifPresent(need::vramGb);
            Optional.ofNullable(spansGpus).ifPresent(need::spansGpus);
            Optional.ofNullable(codebase).ifPresent(need::codebase);
            Optional.ofNullable(reaches).ifPresent(names -> need.reaches(names.toArray(String[]::new)));
            Optional.ofNullable(privacy)
                    .map(said -> constant("privacy", Trust.class, said))
                    .ifPresent(need::privacy);
            Optional.ofNullable(minQuality).ifPresent(need::minQuality);
            Optional.ofNullable(maxLatencySeconds)
                    .map(said -> duration("max_latency_seconds", said))
                    .ifPresent(need::maxLatency);
            Optional.ofNullable(maxCost).ifPresent(need::maxCost);
            Optional.ofNullable(minAvailability).ifPresent(need::minAvailability);
            Optional.ofNullable(durationSeconds)
                    .map(said -> duration("duration_seconds", said))
                    .ifPresent(need::duration);
            return need.build();
        }
    }

    private static <E extends Enum<E>> E constant(String key, Class<E> type, String said) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(said.toUpperCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw new IllegalArgumentException(
                key + ": " + said + " (expected: one of " + List.of(type.getEnumConstants()) + ")");
    }

    private static Duration duration(String key, double seconds) {
        if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
            throw new IllegalArgumentException(key + ": " + seconds + " (expected: above 0, at most a year)");
        }
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    /**
     * What was found.
     *
     * @param best where the request would be placed now; empty: nowhere
     * @param candidates those admissible now first
     * @param explain the same in words
     */
    record Found(Optional<String> best, List<RankedCandidate> candidates, String explain) {}
}
