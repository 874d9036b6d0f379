package dev.substraterouter.examples.whatif.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substraterouter.examples.whatif.Made;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.PolicyException;
import dev.substraterouter.policy.QueueOrder;
import dev.substraterouter.policy.StrategyKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.policy.yaml.YamlPolicy;
import org.junit.jupiter.api.Test;

class VariantsTest {
    private final Policy policy = Made.policy();
    private final Variants variants = Variants.of(policy);

    @Test
    void aPinIsTheRoutesPrimary() {
        Policy pinned = variants.pinned();

        assertThat(pinned.workloads()).allSatisfy(workload -> {
            Candidate primary =
                    policy.workload(workload.name()).orElseThrow().route().get(0);
            assertThat(workload.pin()).contains(primary);
            assertThat(workload.route()).isEmpty();
            assertThat(workload.vramGb()).hasValue(12);
        });
        assertThat(pinned.substrates()).isEqualTo(policy.substrates());
    }

    @Test
    void matchingHasNeitherRouteNorPin() {
        assertThat(variants.matched().workloads()).hasSize(2).allSatisfy(workload -> assertThat(workload.candidates())
                .isEmpty());
    }

    @Test
    void oneSettingChangesAndNothingElse() {
        assertThat(variants.queueCapacity(3).queue().capacity()).isEqualTo(3);
        assertThat(variants.queueCapacity(3).queue().maxWait())
                .isEqualTo(policy.queue().maxWait());
        assertThat(variants.queueCapacity(8)).isEqualTo(policy);
        assertThat(variants.finishMargin(2.5).strategy().finishMargin()).isEqualTo(2.5);
        assertThat(variants.queueOrder(QueueOrder.DEADLINE).queue().order()).isEqualTo(QueueOrder.DEADLINE);
        assertThat(variants.strategy(StrategyKind.PREFERENCE).strategy().defaultKind())
                .isEqualTo(StrategyKind.PREFERENCE);
        assertThat(variants.strategy(StrategyKind.EARLIEST_FINISH)).isEqualTo(policy);
    }

    @Test
    void aWorkloadsOwnStrategyGivesWay() {
        Policy own =
                YamlPolicy.parse(YamlPolicy.write(policy).replace("  sdxl:\n", "  sdxl:\n    strategy: preference\n"));
        assertThat(own.workload("sdxl").flatMap(Workload::strategy)).contains(StrategyKind.PREFERENCE);

        Policy changed = Variants.of(own).strategy(StrategyKind.EARLIEST_FINISH);

        assertThat(changed.workloads())
                .allSatisfy(workload -> assertThat(workload.strategy()).isEmpty());
    }

    @Test
    void withoutRoutesAPinIsThePolicyItself() {
        Policy pinned = variants.pinned();

        assertThat(Variants.of(pinned).hasRoutes()).isFalse();
        assertThat(Variants.of(pinned).pinned()).isEqualTo(pinned);
        assertThat(variants.hasRoutes()).isTrue();
    }

    @Test
    void aVariantThatIsNoPolicyTellsWhy() {
        assertThatThrownBy(() -> variants.finishMargin(0.5))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("finish_margin");
    }
}
