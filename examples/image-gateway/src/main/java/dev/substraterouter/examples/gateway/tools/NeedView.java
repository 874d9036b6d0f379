package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.infer.InferredNeed;
import dev.substraterouter.model.Need;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A need as data: what is null is not asked for.
 *
 * @param words it in words
 * @param capabilities what a substrate must be able to do
 * @param vramGb the GPU memory that the job takes, GiB
 * @param spansGpus whether the memory may be spread over several GPUs
 * @param codebase the codebase that the substrate must hold
 * @param reaches what must be reachable from it
 * @param privacy the lowest trust that may serve it
 * @param minQuality the least declared quality, 0 to 1
 * @param maxLatencySec the longest service and load time
 * @param maxCost the highest cost of the job
 * @param minAvailability the least share of time in which the substrate was healthy
 * @param durationSec how long the job is expected to take
 * @param priority how urgent the words say it is; understood, but not asked for
 * @param mode whether the words say that somebody waits; understood, but not asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NeedView(
        String words,
        List<String> capabilities,
        @Nullable Double vramGb,
        boolean spansGpus,
        @Nullable String codebase,
        List<String> reaches,
        @Nullable String privacy,
        @Nullable Double minQuality,
        @Nullable Double maxLatencySec,
        @Nullable Double maxCost,
        @Nullable Double minAvailability,
        @Nullable Double durationSec,
        @Nullable String priority,
        @Nullable String mode) {
    /** Copies the lists. */
    public NeedView {
        capabilities = List.copyOf(capabilities);
        reaches = List.copyOf(reaches);
    }

    static NeedView of(Need need) {
        return of(need, Optional.empty(), Optional.empty());
    }

    static NeedView of(InferredNeed inferred) {
        return of(
                inferred.need(),
                inferred.priority().map(Served::small),
                inferred.mode().map(Served::small));
    }

    private static NeedView of(Need need, Optional<String> priority, Optional<String> mode) {
        return new NeedView(
                need.toString(),
                need.capabilities(),
                number(need.vramGb()),
                need.spansGpus(),
                need.codebase().orElse(null),
                need.reaches(),
                need.privacy().map(Served::small).orElse(null),
                number(need.minQuality()),
                need.maxLatency().map(Served::seconds).orElse(null),
                number(need.maxCost()),
                need.minAvailability() > 0 ? need.minAvailability() : null,
                need.duration().map(Served::seconds).orElse(null),
                priority.orElse(null),
                mode.orElse(null));
    }

    static @Nullable Double number(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
