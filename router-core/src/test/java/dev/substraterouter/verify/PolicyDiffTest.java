package dev.substraterouter.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.testkit.Policies;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyDiffTest {
    private static final Policy BASE = Policies.smallest();

    @Test
    void nothingChangesWithoutAChange() {
        assertThat(PolicyDiff.between(BASE, BASE)).isEmpty();
    }

    @Test
    void aSwappedRouteIsTold() {
        Policy swapped = with(Workload.builder("flux-fill").vramGb(24).route("mirrorforge", "legion"));

        List<PlacementChange> changes = PolicyDiff.between(BASE, swapped);

        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(change.subject()).isEqualTo("flux-fill");
            assertThat(change.before().substrateId()).contains("legion");
            assertThat(change.after().substrateId()).contains("mirrorforge");
            assertThat(change.situation().standings().values()).allMatch(Standing::free);
            assertThat(change.toString())
                    .startsWith("flux-fill: placed on legion -> placed on mirrorforge")
                    .contains("mirrorforge    free", "legion         free");
        });
    }

    @Test
    void aWorkloadThatIsGoneIsTold() {
        Policy without = Policy.builder()
                .substrates(BASE.substrates().toArray(Substrate[]::new))
                .workloads(
                        BASE.workload("sdxl").orElseThrow(),
                        BASE.workload("flux-dev").orElseThrow())
                .build();

        assertThat(PolicyDiff.between(BASE, without))
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.subject()).isEqualTo("flux-fill"))
                .anySatisfy(change ->
                        assertThat(change.toString()).contains("placed on legion -> refused: unknown workload"));
    }

    @Test
    void aLimitIsTriedAtJustItsValue() {
        Policy looser = BASE.toBuilder()
                .health(HealthLimits.builder().maxGpuUtilPct(71).build())
                .build();

        assertThat(PolicyDiff.between(BASE, looser)).anySatisfy(change -> {
            assertThat(change.subject()).isEqualTo("flux-fill");
            assertThat(change.before().substrateId()).contains("mirrorforge");
            assertThat(change.after().substrateId()).contains("legion");
            assertThat(change.situation().standings().get("legion").words()).isEqualTo("gpu util 70.0");
        });
    }

    @Test
    void anEqualLimitIsNot() {
        Policy same = BASE.toBuilder()
                .health(HealthLimits.builder().maxGpuUtilPct(70).build())
                .build();

        assertThat(PolicyDiff.between(BASE, same)).isEmpty();
    }

    @Test
    void anotherSubstrateIsTold() {
        Policy.Builder more = Policy.builder();
        BASE.substrates().forEach(more::substrate);
        more.substrate(
                Substrate.builder("third").vramGb(48).maxConcurrentJobs(1).build());
        more.workload(Workload.builder("flux-dev")
                .vramGb(12)
                .route("third", "mirrorforge", "legion")
                .build());
        more.workload(BASE.workload("flux-fill").orElseThrow());
        more.workload(BASE.workload("sdxl").orElseThrow());

        assertThat(PolicyDiff.between(BASE, more.build()))
                .filteredOn(change -> change.subject().equals("flux-dev"))
                .anySatisfy(change -> {
                    assertThat(change.before().substrateId()).contains("mirrorforge");
                    assertThat(change.after().substrateId()).contains("third");
                });
    }

    @Test
    void whoMayAskIsTold() {
        Role operator = Role.builder("operator")
                .identities("ops-*")
                .workloads("*")
                .capabilities("*")
                .build();
        Policy closed = BASE.toBuilder().role(operator).build();

        assertThat(PolicyDiff.between(BASE, closed)).anySatisfy(change -> {
            assertThat(change.situation().request().identity()).isEqualTo(Optional.empty());
            assertThat(change.after()).hasToString("refused: not authorized");
        });
    }

    private static Policy with(Workload.Builder changed) {
        Workload workload = changed.build();
        Policy.Builder policy = Policy.builder();
        BASE.substrates().forEach(policy::substrate);
        BASE.workloads().forEach(one -> policy.workload(one.name().equals(workload.name()) ? workload : one));
        return policy.build();
    }
}
