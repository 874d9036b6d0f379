package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.trace.Reason;
import dev.substraterouter.trace.ServingPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnusedCommandTest {
    private static final String POLICY = """
            version: 1
            health: { max_gpu_util_pct: 80, max_gpu_temp_c: 70 }
            ejection: { consecutive_faults: 5 }
            queue: { capacity: 9 }
            substrates:
              forge: { vram_gb: 64, max_concurrent_jobs: 2, reserve_for_high: 1, health: { max_gpu_temp_c: 60 } }
              legion: { vram_gb: 32, max_concurrent_jobs: 1 }
              spare: { vram_gb: 32, max_concurrent_jobs: 1 }
              archive: { kind: batch }
            workloads:
              dev: { vram_gb: 12, route: [forge, legion, spare], batch: archive, overflow_after: 5s }
              sdxl: { vram_gb: 8, pin: forge }
            roles:
              operator: { identities: ["ops-*"], capabilities: ["*"], workloads: ["*"] }
              agent: { identities: ["agent-*"], capabilities: ["*"], workloads: ["*"] }
            """;

    @TempDir
    Path folder;

    private Path policy;

    @BeforeEach
    void write() throws IOException {
        policy = Files.writeString(folder.resolve("p.yaml"), POLICY);
    }

    @Test
    void tellsWhatDecidedNothing() throws IOException {
        Path traces = new Recorded()
                .served("dev", ServingPath.PRIMARY, "forge", 40)
                .refused("dev", "legion", Reason.GPU_UTIL)
                .refused("dev", "legion", Reason.GPU_UTIL)
                .refused("dev", "legion", Reason.VRAM)
                .served("gone", ServingPath.PRIMARY, "forge", 40)
                .in(folder.resolve("t"));
        assertThat(Ran.of("unused", traces, "--policy", policy)).isEqualTo(new Ran(0, """
                5 requests from 2026-05-01T10:00:00Z to 2026-05-01T10:04:00Z (4 min 0 s).
                1 request for workloads that the policy does not have.
                Workloads:
                  workloads.sdxl: never asked for
                Fallbacks:
                  workloads.dev.route[1] on legion: never taken, looked at: gpu util 2, vram 1
                  workloads.dev.route[2] on spare: never taken, never looked at
                Batch paths:
                  workloads.dev.batch on archive: never taken, never looked at
                Substrates:
                  substrates.legion: never used
                  substrates.spare: never used
                  substrates.archive: never used
                Roles:
                  roles.agent: never seen
                Limits:
                  health.max_gpu_temp_c: never said no
                  ejection: never said no
                  queue: nobody waited
                  substrates.forge.vram_gb: never said no
                  substrates.forge.max_concurrent_jobs: never said no
                  substrates.forge.reserve_for_high: never said no
                  substrates.forge.health.max_gpu_temp_c: never said no
                  substrates.legion.max_concurrent_jobs: never said no
                  workloads.dev.overflow_after: never said no
                """, ""));
    }

    @Test
    void forPrograms() throws IOException {
        Files.writeString(
                policy,
                "version: 1\nsubstrates:\n  forge: { kind: external }\nworkloads:\n  dev: { privacy: public, pin: forge }\n");
        Path traces = new Recorded().failed("gone", ServingPath.PRIMARY, "x", 1).in(folder.resolve("t"));
        assertThat(Ran.of("unused", traces, "--policy", policy, "--format", "json")
                        .out())
                .isEqualTo("{\"requests\":1,\"unknown_workloads\":1,"
                        + "\"span\":\"1 request from 2026-05-01T10:00:00Z to 2026-05-01T10:00:00Z (0 min 0 s)\",\"unused\":["
                        + "{\"kind\":\"workload\",\"path\":\"workloads.dev\",\"words\":\"never asked for\"},"
                        + "{\"kind\":\"substrate\",\"path\":\"substrates.forge\",\"words\":\"never used\"}]}\n");
    }

    @Test
    void whenEverythingIsUsedItSaysSo() throws IOException {
        Files.writeString(
                policy,
                "version: 1\nsubstrates:\n  forge: { kind: external }\nworkloads:\n  dev: { privacy: public, pin: forge }\n");
        Path traces =
                new Recorded().served("dev", ServingPath.PRIMARY, "forge", 1).in(folder.resolve("t"));
        assertThat(Ran.of("unused", traces, "--policy", policy).out())
                .endsWith("(0 min 0 s).\nEverything in the policy decided something.\n");
    }

    @Test
    void withoutRequestsNothingIsSaid() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.jsonl"), "");
        assertThat(Ran.of("unused", empty, "--policy", policy).out()).isEqualTo("No requests.\n");
    }
}
