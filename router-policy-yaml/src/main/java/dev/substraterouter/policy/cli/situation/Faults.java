package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Ejects substrates as they are in earnest: by faults of placed work. That takes a policy in which somebody may ask for work that only the
 * substrate does; what the router knows of the substrate stays when the real policy takes over.
 */
final class Faults {
    private static final String NAME = "faults";

    private Faults() {}

    /**
     * The policy under which {@link #eject} works.
     *
     * @throws IllegalArgumentException if one of them is never ejected
     */
    static Policy policy(Policy policy, List<Substrate> ejected) {
        Policy.Builder builder = Policy.builder()
                .health(policy.health())
                .ejection(policy.ejection())
                .poll(policy.poll());
        policy.substrates().forEach(builder::substrate);
        ejected.forEach(substrate -> builder.workload(workload(substrate)));
        if (!policy.roles().isEmpty()) {
            Stream.concat(Stream.of(NAME), policy.roles().stream().map(Role::name))
                    .distinct()
                    .forEach(name -> builder.role(role(name)));
        }
        return builder.build();
    }

    /**
     * Fails work on a substrate until it is out.
     *
     * @param nextStatus brings another status: a slot is free again once a status has not seen its lease
     * @throws IllegalArgumentException if it takes no work that could fail
     */
    static void eject(SubstrateRouter router, Substrate substrate, Runnable nextStatus) {
        RouteRequest request = RouteRequest.workload(name(substrate))
                .identity(identity(substrate))
                .priority(Priority.HIGH);
        nextStatus.run();
        if (!failed(router, request)) {
            throw new IllegalArgumentException(
                    substrate.id() + ": 'ejected' (expected: no word beside it that leaves no free slot)");
        }
        boolean in = true;
        while (in) {
            nextStatus.run();
            in = failed(router, request);
        }
    }

    /** Whether work could be placed, which then failed. */
    private static boolean failed(SubstrateRouter router, RouteRequest request) {
        Optional<Placement> placed = place(router, request);
        placed.ifPresent(placement -> {
            try (placement) {
                placement.nodeFault(new SubstrateFaultException("as was said"));
            }
        });
        return placed.isPresent();
    }

    private static Optional<Placement> place(SubstrateRouter router, RouteRequest request) {
        try {
            return router.tryPlace(request);
        } catch (RoutingException refused) {
            return Optional.empty(); // out for a time that is known
        }
    }

    private static Workload workload(Substrate substrate) {
        if (substrate.kind() == SubstrateKind.BATCH) {
            throw new IllegalArgumentException(
                    substrate.id() + ": 'ejected' (expected: another word; a batch queue is never ejected)");
        }
        return Workload.builder(name(substrate))
                .privacy(Trust.PUBLIC)
                .pin(substrate.id())
                .build();
    }

    private static Role role(String name) {
        return Role.builder(name)
                .identities(NAME + "-" + name)
                .workloads("*")
                .capabilities("*")
                .maxPriority(Priority.HIGH)
                .external(true)
                .build();
    }

    private static String name(Substrate substrate) {
        return NAME + " of " + substrate.id();
    }

    private static String identity(Substrate substrate) {
        return NAME + "-"
                + substrate
                        .acceptsRoles()
                        .flatMap(roles -> roles.stream().findFirst())
                        .orElse(NAME);
    }
}
