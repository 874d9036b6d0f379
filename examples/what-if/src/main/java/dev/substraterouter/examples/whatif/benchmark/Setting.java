package dev.substraterouter.examples.whatif.benchmark;

import dev.substraterouter.examples.whatif.reference.ReferenceOptions;
import dev.substraterouter.examples.whatif.reference.References;
import dev.substraterouter.policy.Policy;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who places, with which settings, in which variant of the scenario.
 *
 * @param name what it is called; one name, one setting
 * @param policy the policy
 * @param scenario what is changed of the scenario
 * @param reference who places; empty: the router
 */
record Setting(String name, Policy policy, Consumer<ObjectNode> scenario, Optional<ReferenceOptions> reference) {
    /** The router as it is set. */
    static final Setting ROUTER = router("router", Sub2.AS_IS);
    /** The router with static order, first come first served, all requests alike. */
    static final Setting STATIC = router("static", Sub2.preference()).in("", Sub2.oneClass());
    /** Static order by the last status. */
    static final Setting NAIVE = reference("naive", References.naive());
    /** The primary only. */
    static final Setting PIN = reference("pin", References.pinGated());
    /** The reference nearest to the router. */
    static final Setting L5 = reference("L5", References.l5());
    /** The same with exact knowledge of the present. */
    static final Setting ORACLE = reference("oracle", References.oracle());

    /** The router with a changed policy. */
    static Setting router(String name, Consumer<ObjectNode> policy) {
        return new Setting(name, Sub2.policy(policy), Sub2.AS_IS, Optional.empty());
    }

    private static Setting reference(String name, ReferenceOptions options) {
        return new Setting(name, Sub2.policy(), Sub2.AS_IS, Optional.of(options));
    }

    /** The same in a variant of the scenario. */
    Setting in(String variant, Consumer<ObjectNode> change) {
        return new Setting(name + variant, policy, scenario.andThen(change), reference);
    }

    /** The same with other policy settings. */
    Setting with(String variant, Policy other) {
        return new Setting(name + variant, other, scenario, reference);
    }
}
