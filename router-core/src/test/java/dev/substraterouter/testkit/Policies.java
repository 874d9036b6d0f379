package dev.substraterouter.testkit;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;

/** Policies ready to use. */
public final class Policies {
    private Policies() {}

    /** The smallest useful policy of the documentation: two unequal substrates, three routes of two. */
    public static Policy smallest() {
        return smallestBuilder().build();
    }

    /** A builder that holds {@link #smallest()}. */
    public static Policy.Builder smallestBuilder() {
        return Policy.builder()
                .substrates(
                        Substrate.builder("mirrorforge")
                                .endpoint("http://10.40.10.1:8188")
                                .vramGb(64)
                                .gpus(2)
                                .maxConcurrentJobs(2)
                                .build(),
                        Substrate.builder("legion")
                                .endpoint("http://10.40.10.2:8188")
                                .vramGb(32)
                                .maxConcurrentJobs(1)
                                .build())
                .workloads(
                        Workload.builder("flux-dev")
                                .vramGb(12)
                                .route("mirrorforge", "legion")
                                .build(),
                        Workload.builder("flux-fill")
                                .vramGb(24)
                                .route("legion", "mirrorforge")
                                .build(),
                        Workload.builder("sdxl")
                                .vramGb(8)
                                .route("mirrorforge", "legion")
                                .build());
    }
}
