package dev.substraterouter.examples.gateway.control;

import dev.substraterouter.SourceStatus;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.status.GpuStatus;
import dev.substraterouter.status.SubstrateStatus;
import dev.substraterouter.trace.Finding;
import dev.substraterouter.trace.Reason;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One substrate as operators see it.
 *
 * @param state one word: {@code cordoned}, {@code ejected}, {@code no-status}, {@code unhealthy}, {@code full}, {@code unwatched}
 *     (open without a status, which is not asked for) or {@code healthy}, the first that holds
 * @param reasons everything that speaks against it now
 * @param suspicions why its statuses are not to be believed, a sentence each
 * @param maxConcurrentJobs how many jobs may run there at once; empty: no limit
 * @param maxGpuUtilPct from where on its load is too high
 * @param maxGpuTempC from where on it is too hot
 * @param status what it last said; empty: it never did
 */
record SubstrateJson(
        String id,
        SubstrateKind kind,
        String state,
        Optional<String> hardware,
        Optional<String> why,
        List<String> capabilities,
        List<String> codebases,
        Optional<URI> endpoint,
        boolean overflow,
        List<Finding> reasons,
        List<String> suspicions,
        int leases,
        OptionalInt maxConcurrentJobs,
        double maxGpuUtilPct,
        double maxGpuTempC,
        OptionalDouble vramGb,
        Optional<Status> status,
        Optional<Duration> statusAgeSeconds,
        List<Source> sources,
        Optional<Instant> ejectedUntil,
        Optional<String> lastError,
        boolean cordoned,
        OptionalDouble availability) {
    private static final Set<Reason> BLIND = Set.of(Reason.NO_STATUS, Reason.STALE_STATUS);
    private static final Set<Reason> TAKEN =
            Set.of(Reason.RUNNING_JOBS, Reason.BUSY, Reason.TRIAL_RUNNING, Reason.RAMP);

    /** What it said of itself. */
    record Status(
            boolean reachable,
            Optional<String> notReady,
            OptionalDouble gpuUtilPct,
            OptionalDouble gpuUtilOtherPct,
            OptionalDouble vramUsedGb,
            OptionalDouble vramTotalGb,
            OptionalDouble gpuTempC,
            OptionalInt runningJobs,
            OptionalInt queuedJobs,
            List<String> loadedModels,
            List<Gpu> gpus) {
        static Status of(SubstrateStatus status) {
            return new Status(
                    status.reachable(),
                    status.notReady(),
                    status.gpuUtilPct(),
                    status.gpuUtilOtherPct(),
                    status.vramUsedGb(),
                    status.vramTotalGb(),
                    status.gpuTempC(),
                    status.runningJobs(),
                    status.queuedJobs(),
                    status.loadedModels().orElse(Set.of()).stream().sorted().toList(),
                    status.gpus().stream().map(Gpu::of).toList());
        }
    }

    /** One of its cards. */
    record Gpu(
            int index,
            Optional<String> name,
            OptionalDouble utilPct,
            OptionalDouble vramUsedGb,
            OptionalDouble vramTotalGb,
            OptionalDouble tempC) {
        static Gpu of(GpuStatus gpu) {
            return new Gpu(gpu.index(), gpu.name(), gpu.utilPct(), gpu.vramUsedGb(), gpu.vramTotalGb(), gpu.tempC());
        }
    }

    /** Who last said something of it, and when. */
    record Source(String source, Duration ageSeconds) {
        static Source of(SourceStatus said) {
            return new Source(said.source(), said.age());
        }
    }

    /** A view, with what the policy says of the substrate; empty: the policy has lost it since. */
    static Optional<SubstrateJson> of(SubstrateView view, Policy policy) {
        return policy.substrate(view.id()).map(declared -> of(view, declared, policy.health()));
    }

    private static SubstrateJson of(SubstrateView view, Substrate declared, HealthLimits general) {
        HealthLimits limits = declared.health().map(own -> own.over(general)).orElse(general);
        return new SubstrateJson(
                view.id(),
                view.kind(),
                state(view),
                view.hardware(),
                declared.why(),
                view.capabilities(),
                view.codebases(),
                declared.endpoint(),
                declared.overflow(),
                view.reasons(),
                view.suspicions(),
                view.leases(),
                view.maxConcurrentJobs() == Integer.MAX_VALUE
                        ? OptionalInt.empty()
                        : OptionalInt.of(view.maxConcurrentJobs()),
                limits.maxGpuUtilPct(),
                limits.maxGpuTempC(),
                declared.vramGb(),
                view.status().map(Status::of),
                view.statusAge(),
                view.sources().stream().map(Source::of).toList(),
                view.ejectedUntil(),
                view.lastError(),
                view.cordoned(),
                view.availability());
    }

    private static String state(SubstrateView view) {
        if (view.cordoned()) {
            return "cordoned";
        }
        if (view.ejectedUntil().isPresent() || has(view, Set.of(Reason.EJECTED))) {
            return "ejected";
        }
        if (view.verdict().passes()) {
            return view.status().isPresent() ? "healthy" : "unwatched";
        }
        if (has(view, BLIND)) {
            return "no-status";
        }
        boolean onlyTaken = view.reasons().stream().map(Finding::reason).allMatch(TAKEN::contains);
        return onlyTaken ? "full" : "unhealthy";
    }

    private static boolean has(SubstrateView view, Set<Reason> reasons) {
        return view.reasons().stream().map(Finding::reason).anyMatch(reasons::contains);
    }
}
