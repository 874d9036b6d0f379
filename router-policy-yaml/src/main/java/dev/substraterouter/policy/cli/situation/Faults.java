package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.Placement;
import dev.substraterouter.RoutingException;
import dev.substraterouter.SubstrateFaultException;
import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.EjectionLimits;
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

    /** Of an error, routers tell the class. */
    private static final String ERROR = " (" + Fault.class.getName() + ")";

    private Faults() {}

    /** No fault that a host could have had. */
    private static final class Fault extends SubstrateFaultException {
        private static final long serialVersionUID = 1L;

        Fault() {
            super("as was said");
        }
    }

    /**
     * The policy under which {@link #eject} works.
     *
     * @throws IllegalArgumentException if one of them is never ejected
     */
    static Policy policy(Policy policy, List<Substrate> ejected) {
        Policy.Builder builder = Policy.builder()
                .health(policy.health())
                .ejection(atOnce(policy.ejection()))
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
     * Fails work on a substrate, which puts it out for as long as the real policy has it. Its status must have come just now.
     *
     * @throws IllegalArgumentException if it takes no work that could fail
     */
    static void eject(SubstrateRouter router, Substrate substrate) {
        RouteRequest request = RouteRequest.workload(name(substrate))
                .identity(identity(substrate))
                .priority(Priority.HIGH);
        if (!failed(router, request)) {
            throw new IllegalArgumentException(substrate.id()
                    + ": 'ejected' (expected: no word beside it by which it takes no work, as busy or ready:false)");
        }
    }

    /** What a router says of an ejection, without the name of a fault that only this class knows. */
    static String plain(String words) {
        return words.replace(ERROR, "");
    }

    /** One fault is enough: were there several, with time between them, who is out first could be back before the last is out. */
    private static EjectionLimits atOnce(EjectionLimits limits) {
        return EjectionLimits.builder()
                .consecutiveFaults(1)
                .window(limits.window())
                .maxWindow(limits.maxWindow())
                .build();
    }

    /** Whether work could be placed, which then failed. */
    private static boolean failed(SubstrateRouter router, RouteRequest request) {
        Optional<Placement> placed = place(router, request);
        placed.ifPresent(placement -> {
            try (placement) {
                placement.nodeFault(new Fault());
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
