package dev.substraterouter.verify;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.PlacementMode;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Who may ask a policy for what: its workloads and the classes of needs, by everybody who is treated alike, with every priority. */
final class Cases {
    /** Of names of one sort that needs may ask for, how many are tried. */
    static final int MOST_NAMES = 8;

    private static final double MIB = 1024;

    private final Stage stage;
    private final Policy policy;
    private final Askers askers;

    Cases(Stage stage) {
        this.stage = stage;
        this.policy = stage.policy;
        this.askers = Askers.of(policy);
    }

    /** Hands out one after the other: of a large policy there are too many to keep. */
    void forEach(Consumer<Case> cases) {
        for (RouteRequest subject : subjects()) {
            for (Askers.Asker asker : askers.all()) {
                add(cases, asker.asks(subject), asker);
            }
        }
    }

    /** Which pairs of patterns nobody is asked for of. */
    List<String> leftOut() {
        return askers.leftOut();
    }

    List<Case> all() {
        List<Case> cases = new ArrayList<>();
        forEach(cases::add);
        return cases;
    }

    private void add(Consumer<Case> cases, RouteRequest subject, Askers.Asker asker) {
        Optional<Workload> workload = stage.constraints.workload(subject);
        for (Priority priority : List.of(Priority.NORMAL, Priority.HIGH, Priority.LOW)) {
            RouteRequest request = subject.priority(priority);
            add(cases, request, asker, Duration.ZERO);
            Duration overflowAfter = workload.map(Workload::overflowAfter).orElse(Duration.ZERO);
            if (!overflowAfter.isZero()) {
                add(cases, request, asker, overflowAfter);
            }
            if (!stage.constraints.batch(request).isEmpty()) {
                add(cases, request.mode(PlacementMode.BATCH), asker, Duration.ZERO);
                if (priority == Priority.LOW) {
                    add(cases, request.mode(PlacementMode.INTERACTIVE), asker, Duration.ZERO);
                }
            }
        }
    }

    private void add(Consumer<Case> cases, RouteRequest request, Askers.Asker asker, Duration waited) {
        cases.accept(Case.of(stage, request, asker.roles(), waited));
    }

    /** The workloads, and a need of each class. */
    List<RouteRequest> subjects() {
        List<RouteRequest> subjects = new ArrayList<>();
        policy.workloads().forEach(workload -> subjects.add(RouteRequest.workload(workload.name())));
        if (policy.roles().isEmpty() || policy.roles().stream().anyMatch(Role::adhoc)) {
            needs(policy).forEach(need -> subjects.add(RouteRequest.need(need)));
        }
        return subjects;
    }

    /**
     * A need of each class: every privacy with no capability or a single one, with no memory and with what the largest substrate can give;
     * then each codebase, and each thing to be reached, alone.
     */
    static List<Need> needs(Policy policy) {
        Set<Need> needs = new LinkedHashSet<>();
        List<String> capabilities = names(policy, Substrate::capabilities);
        double most = policy.substrates().stream()
                .filter(substrate -> substrate.vramGb().isPresent())
                .mapToDouble(substrate ->
                        Constraints.mostMib(new Constraints.Offer(substrate, Candidate.on(substrate.id()), false))
                                / MIB)
                .max()
                .orElse(0);
        for (Trust privacy : Trust.values()) {
            for (String capability : withNone(capabilities)) {
                Need.Builder need = Need.builder().privacy(privacy);
                needs.add((capability.isEmpty() ? need : need.capabilities(capability)).build());
                if (most > 0) {
                    needs.add(need.vramGb(most).build());
                }
            }
        }
        for (String codebase : names(policy, Substrate::codebases)) {
            needs.add(Need.builder()
                    .privacy(Trust.PUBLIC)
                    .codebase(codebase.equals("*") ? "any" : codebase)
                    .build());
        }
        for (String reached : names(policy, Substrate::reaches)) {
            needs.add(Need.builder().privacy(Trust.PUBLIC).reaches(reached).build());
        }
        return List.copyOf(needs);
    }

    private static List<String> withNone(List<String> names) {
        List<String> all = new ArrayList<>(List.of(""));
        all.addAll(names);
        return all;
    }

    private static List<String> names(Policy policy, Function<Substrate, List<String>> of) {
        return policy.substrates().stream()
                .flatMap(substrate -> of.apply(substrate).stream())
                .map(Need::canonical)
                .distinct()
                .limit(MOST_NAMES)
                .toList();
    }
}
