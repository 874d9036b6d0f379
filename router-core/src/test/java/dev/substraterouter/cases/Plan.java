package dev.substraterouter.cases;

import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PollSettings;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.time.Duration;

/** Parts of policies whose statuses stay fresh for a day. */
final class Plan {
    private Plan() {}

    static Policy.Builder policy() {
        return Policy.builder()
                .poll(PollSettings.builder().every(Duration.ofSeconds(5)).build())
                .health(HealthLimits.builder().staleAfter(Duration.ofDays(1)).build());
    }

    /** A policy of some substrates and one workload, {@code work}. */
    static Policy.Builder policy(Workload.Builder work, Substrate.Builder... substrates) {
        Policy.Builder policy = policy().workload(work.build());
        for (Substrate.Builder substrate : substrates) {
            policy.substrate(substrate.build());
        }
        return policy;
    }

    static Workload.Builder work() {
        return Workload.builder("work");
    }

    /** A node of one's own with so many slots. */
    static Substrate.Builder node(String id, int slots) {
        return Substrate.builder(id).endpoint("http://" + id + ":8188").maxConcurrentJobs(slots);
    }

    /** Somebody else's endpoint, trusted like the public. */
    static Substrate.Builder cloud(String id) {
        return Substrate.builder(id)
                .kind(SubstrateKind.EXTERNAL)
                .trust(Trust.PUBLIC)
                .endpoint("https://" + id + ".example.com")
                .maxConcurrentJobs(8);
    }

    /** A queue that runs work later. */
    static Substrate.Builder archive() {
        return Substrate.builder("archive").kind(SubstrateKind.BATCH);
    }

    /** A candidate that is expected to take so many seconds. */
    static Candidate.Builder takes(String id, long seconds) {
        return Candidate.builder(id).expectedLatency(seconds(seconds));
    }

    static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
