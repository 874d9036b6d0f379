package dev.substraterouter.policy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    private static final String OLD = """
            version: 1
            substrates:
              forge: { vram_gb: 64, max_concurrent_jobs: 2 }
              legion: { status: [{ url: "http://10.0.0.2/s", auth: { token_env: HUSH } }], vram_gb: 32, max_concurrent_jobs: 1 }
            workloads:
              dev: { vram_gb: 12, privacy: public, route: [forge, legion] }
              fill: { vram_gb: 24, route: [{ on: legion, expected_latency: 40s }, forge] }
              sdxl: { vram_gb: 8, route: [forge, legion] }
            """;

    @TempDir
    Path folder;

    private Ran diff(String old, String next) throws IOException {
        return Ran.of(
                "diff",
                Files.writeString(folder.resolve("old.yaml"), old),
                Files.writeString(folder.resolve("new.yaml"), next));
    }

    @Test
    void nothingDiffersFromItselfInAnotherLayout() throws IOException {
        String other = OLD.replace(
                "{ vram_gb: 12, privacy: public, route: [forge, legion] }",
                "\n    route:\n      - { on: forge }\n      - legion\n    vram_gb: 12\n    privacy: public");
        Ran ran = diff(OLD, other);
        assertThat(ran.code()).as(ran.out()).isZero();
        assertThat(ran.out()).isEqualTo("No key differs.\nNo placement changes, as far as they were looked at.\n");
    }

    @Test
    void keysThatDifferAreToldWithBothValues() throws IOException {
        String next = OLD.replace("[forge, legion] }\n  fill", "[legion, forge, cloud] }\n  fill")
                .replace("40s", "44s")
                .replace(
                        "[{ on: legion, expected_latency: 44s }, forge]",
                        "[{ on: legion, expected_latency: 44s }, { on: forge, quality: 0.5 }]")
                .replace("HUSH", "HUSH2")
                .replaceAll("  sdxl.*\n", "")
                .replace("version: 1\n", "version: 1\nhealth: { max_gpu_temp_c: 75 }\n")
                .replace(
                        "workloads:",
                        "  cloud: { kind: external, endpoint: \"https://gpu.example.com\", vram_gb: 80 }\nworkloads:");
        Ran ran = diff(OLD, next);
        assertThat(ran.out()).startsWith("""
                Keys:
                  ~ substrates.legion.status: [{ url: http://10.0.0.2/s, auth: *** }] -> [{ url: http://10.0.0.2/s, auth: *** }]
                  + substrates.cloud: { kind: external, endpoint: https://gpu.example.com, vram_gb: 80 }
                  ~ workloads.dev.route: [forge, legion] -> [legion, forge, cloud]
                  ~ workloads.fill.route[legion].expected_latency: 40s -> 44s
                  + workloads.fill.route[forge].quality: 0.5
                  - workloads.sdxl: { vram_gb: 8, route: [forge, legion] }
                  + health: { max_gpu_temp_c: 75 }
                """);
        assertThat(ran.out()).doesNotContain("HUSH");
    }

    @Test
    void placementsThatChangeAreToldWithTheirSituation() throws IOException {
        String next = OLD.replace("privacy: public, route: [forge, legion]", "privacy: public, route: [legion, forge]");
        Ran ran = diff(OLD, next);
        assertThat(ran).isEqualTo(new Ran(1, """
                Keys:
                  ~ workloads.dev.route: [forge, legion] -> [legion, forge]
                Placements:
                  dev: placed on forge -> placed on legion
                    asks           dev, priority NORMAL, mode EITHER
                    legion         free
                    forge          free
                                   the smallest of 3 such situations
                """, ""));
    }

    @Test
    void keysThatPlaceNothingElsewhereAreNoChangeOfPlacement() throws IOException {
        Ran ran = diff(
                OLD,
                OLD.replace("40s", "44s")
                        .replace("version: 1", "version: 1\nnetwork: { data: [10.0.0.0/8], control: [10.0.0.0/8] }"));
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("expected_latency: 40s -> 44s", "+ network: ", "No placement changes");
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void ofVeryManyStoriesTheFirstAreTold() throws IOException {
        StringBuilder many = new StringBuilder(OLD);
        for (int i = 0; i < 60; i++) {
            many.append("  w").append(i).append(": { route: [forge, legion] }\n");
        }
        String next = many.toString().replace("{ route: [forge, legion] }", "{ route: [legion, forge] }");
        Ran ran = diff(many.toString(), next);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out().lines().filter(line -> line.contains("placed on forge -> placed on legion")))
                .hasSize(50);
        assertThat(ran.out()).endsWith("\nAnd 10 more of 60; --all tells of them.\n");
        Path old = folder.resolve("old.yaml");
        Path later = folder.resolve("new.yaml");
        assertThat(Ran.of("diff", "--all", old, later).out().lines().filter(line -> line.contains("-> placed on")))
                .hasSize(60);
        assertThat(Ran.of("diff", "--format", "json", old, later).out()).contains("\"subject\":\"w59\"");
    }

    @Test
    void forPrograms() throws IOException {
        diff(OLD, OLD.replace("privacy: public, route: [forge, legion]", "privacy: public, route: [legion, forge]"));
        Ran ran = Ran.of("diff", folder.resolve("old.yaml"), folder.resolve("new.yaml"), "--format", "json");
        assertThat(ran.out())
                .startsWith(
                        "{\"keys\":[{\"path\":\"workloads.dev.route\",\"before\":\"[forge, legion]\","
                                + "\"after\":\"[legion, forge]\"}],\"placements\":[{\"subject\":\"dev\",\"roles\":[],"
                                + "\"before\":\"placed on forge\",\"after\":\"placed on legion\",\"situations\":3,\"story\":\"dev: ");
    }
}
