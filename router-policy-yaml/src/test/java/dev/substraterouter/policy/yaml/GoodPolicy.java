package dev.substraterouter.policy.yaml;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.testkit.PolicyContract;
import dev.substraterouter.verify.PolicyRule;
import java.util.List;
import java.util.Locale;

/** A policy without a fault, with what its owner believes in. */
enum GoodPolicy {
    STUDIO(StudioIntents.rules()),
    CLINIC(ClinicIntents.rules()),
    LABS(LabsIntents.rules());

    private final List<PolicyRule> rules;
    private final String text = PlantedFault.text(name().toLowerCase(Locale.ROOT));

    GoodPolicy(List<PolicyRule> rules) {
        this.rules = rules;
    }

    static GoodPolicy of(PlantedFault fault) {
        return valueOf(fault.in().toUpperCase(Locale.ROOT));
    }

    String text() {
        return text;
    }

    PolicyRule[] rules() {
        return rules.toArray(PolicyRule[]::new);
    }

    /** The contract of a policy for which the same is believed. */
    PolicyContract contract(Policy policy) {
        return new PolicyContract() {
            @Override
            public Policy policy() {
                return policy;
            }

            @Override
            public List<PolicyRule> rules() {
                return rules;
            }
        };
    }
}
