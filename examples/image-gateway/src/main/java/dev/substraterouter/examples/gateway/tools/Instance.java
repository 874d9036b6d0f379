package dev.substraterouter.examples.gateway.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Finding;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One node of the pool as it stands now. What is null nobody has said.
 *
 * @param substrate its id
 * @param kind local, pool, external or batch
 * @param virtual whether it exists only behind its MCP address
 * @param mcpUrl its MCP address
 * @param hardware what it is made of, for people
 * @param capabilities what it can do
 * @param codebases the codebases it holds
 * @param tasks what it does now
 * @param health how it is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Instance(
        String substrate,
        String kind,
        boolean virtual,
        @Nullable String mcpUrl,
        @Nullable String hardware,
        List<String> capabilities,
        List<String> codebases,
        Tasks tasks,
        Health health) {
    /** Copies the lists. */
    public Instance {
        capabilities = List.copyOf(capabilities);
        codebases = List.copyOf(codebases);
    }

    /**
     * What a node does now.
     *
     * @param leases the router's own jobs there
     * @param most how many jobs may run there at once; null: as many as there are
     * @param reportedRunning how many it says run there
     * @param reportedQueued how many it says wait there
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Tasks(
            int leases,
            @Nullable Integer most,
            @Nullable Integer reportedRunning,
            @Nullable Integer reportedQueued) {}

    /**
     * How a node is.
     *
     * @param passes whether work may go there now
     * @param reasons everything that speaks against it now
     * @param suspicions why its own word is not to be believed
     * @param statusAgeSeconds how old its word is
     * @param gpuUtilPct how busy its GPUs are
     * @param gpuTempC how hot they are
     * @param vramUsedGb memory used, GiB
     * @param vramTotalGb memory in all, GiB
     * @param loadedModels the models it holds
     * @param cordoned whether an operator has taken it out
     * @param ejectedUntil until when it is out after faults
     * @param availability the share of the watched time in which it was healthy, 0 to 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Health(
            boolean passes,
            List<String> reasons,
            List<String> suspicions,
            @Nullable Double statusAgeSeconds,
            @Nullable Double gpuUtilPct,
            @Nullable Double gpuTempC,
            @Nullable Double vramUsedGb,
            @Nullable Double vramTotalGb,
            @Nullable List<String> loadedModels,
            boolean cordoned,
            @Nullable Instant ejectedUntil,
            @Nullable Double availability) {}

    static Instance of(SubstrateView view, Policy policy) {
        Optional<Substrate> declared = policy.substrate(view.id());
        return new Instance(
                view.id(),
                Served.small(view.kind()),
                declared.map(Substrate::virtual).orElse(false),
                declared.flatMap(Substrate::mcpUrl).map(URI::toString).orElse(null),
                view.hardware().orElse(null),
                view.capabilities(),
                view.codebases(),
                tasks(view),
                health(view));
    }

    private static Tasks tasks(SubstrateView view) {
        return new Tasks(
                view.leases(),
                view.maxConcurrentJobs() == Integer.MAX_VALUE ? null : view.maxConcurrentJobs(),
                count(view, SubstrateStatus::runningJobs),
                count(view, SubstrateStatus::queuedJobs));
    }

    private static Health health(SubstrateView view) {
        Optional<SubstrateStatus> status = view.status();
        return new Health(
                view.verdict().passes(),
                view.reasons().stream().map(Finding::text).toList(),
                view.suspicions(),
                view.statusAge().map(Served::seconds).orElse(null),
                status.map(SubstrateStatus::gpuUtilPct).map(NeedView::number).orElse(null),
                status.map(SubstrateStatus::gpuTempC).map(NeedView::number).orElse(null),
                status.map(SubstrateStatus::vramUsedGb).map(NeedView::number).orElse(null),
                status.map(SubstrateStatus::vramTotalGb).map(NeedView::number).orElse(null),
                status.flatMap(SubstrateStatus::loadedModels)
                        .map(models -> models.stream().sorted().toList())
                        .orElse(null),
                view.cordoned(),
                view.ejectedUntil().orElse(null),
                NeedView.number(view.availability()));
    }

    private static @Nullable Integer count(SubstrateView view, Function<SubstrateStatus, OptionalInt> figure) {
        OptionalInt count = view.status().map(figure).orElse(OptionalInt.empty());
        return count.isPresent() ? count.getAsInt() : null;
    }
}
