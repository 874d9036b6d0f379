package dev.substraterouter.verify;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Priority;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Trust;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import dev.substraterouter.policy.Workload;
import dev.substraterouter.trace.Reason;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a policy and a request say of who may serve it, clause by clause as the policy's description has them, and nothing else: no state, no
 * order, no cache. It shares nothing with what the router decides by, so that the one can be held against the other. Money is counted in
 * decimals, so that a limit is met exactly where a reader of the policy would say so. Immutable and thread-safe.
 */
public final class Constraints {
    private static final BigDecimal NANOS_PER_HOUR = BigDecimal.valueOf(3_600_000_000_000L);

    private static final int MIB = 1024;

    private final Policy policy;

    /** Those of a policy. */
    public Constraints(Policy policy) {
        this.policy = policy;
    }

    /**
     * One substrate as it would serve a request.
     *
     * @param substrate the substrate
     * @param candidate what is declared of it there; nothing when it is matched
     * @param batchPath whether by the batch path rather than live
     */
    public record Offer(Substrate substrate, Candidate candidate, boolean batchPath) {
        /** The substrate's id. */
        public String id() {
            return substrate.id();
        }
    }

    /** What is required of whoever serves a request. */
    private record Contract(
            Collection<String> capabilities,
            Optional<String> codebase,
            Collection<String> reaches,
            OptionalDouble vramGb,
            Trust privacy,
            OptionalDouble minQuality,
            Optional<Duration> maxLatency,
            OptionalDouble maxCost,
            double reviewCost,
            double errorCost) {}

    /** Whether the policy has what is asked for: a need, or a workload of its own. */
    public boolean knows(RouteRequest request) {
        return request.need().isPresent() || workload(request).isPresent();
    }

    /** The workload that is asked for; empty for a need and for one that the policy does not have. */
    public Optional<Workload> workload(RouteRequest request) {
        return request.need().isPresent() ? Optional.empty() : policy.workload(request.workload());
    }

    /** Who could be asked to serve it live: its route or its pin; without either, every substrate there is. */
    public List<Offer> live(RouteRequest request) {
        List<Candidate> named = workload(request).map(Workload::candidates).orElse(List.of());
        List<Offer> offers = new ArrayList<>();
        for (Candidate candidate : named) {
            offers.add(new Offer(policy.substrate(candidate.on()).orElseThrow(), candidate, false));
        }
        if (named.isEmpty()) {
            for (Substrate substrate : policy.substrates()) {
                offers.add(new Offer(substrate, unnamed(request, substrate), false));
            }
        }
        return offers;
    }

    /** A need says itself how long it takes and whether it spans; a workload without a route says neither. */
    private static Candidate unnamed(RouteRequest request, Substrate substrate) {
        Candidate.Builder candidate = Candidate.builder(substrate.id());
        request.need().ifPresent(need -> {
            need.duration().ifPresent(candidate::expectedLatency);
            candidate.spansGpus(need.spansGpus());
        });
        return candidate.build();
    }

    /** Who could be asked to serve it later: its batch path; of what has no route either, every batch queue. */
    public List<Offer> batch(RouteRequest request) {
        Optional<Candidate> declared = workload(request).flatMap(Workload::batch);
        if (declared.isPresent()) {
            Substrate on = policy.substrate(declared.get().on()).orElseThrow();
            return List.of(new Offer(on, declared.get(), true));
        }
        boolean routed = workload(request)
                .map(workload -> !workload.candidates().isEmpty())
                .orElse(false);
        return policy.substrates().stream()
                .filter(substrate -> !routed && substrate.kind() == SubstrateKind.BATCH)
                .map(substrate -> new Offer(substrate, unnamed(request, substrate), true))
                .toList();
    }

    /** Those of {@link #live} that satisfy every clause. */
    public List<Offer> eligible(RouteRequest request) {
        return live(request).stream()
                .filter(offer -> violated(request, offer).isEmpty())
                .toList();
    }

    /** The ids of their substrates. */
    public static Set<String> ids(Collection<Offer> offers) {
        return offers.stream().map(Offer::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The roles under which it may be asked for, as the priority that it has: one that names none is NORMAL if some role may ask for that.
     * Empty when there are none, or when the policy has no roles at all.
     */
    public List<Role> covering(RouteRequest request) {
        List<Role> all =
                policy.roles().stream().filter(role -> covers(role, request)).toList();
        boolean normal = all.stream().anyMatch(role -> !Priority.NORMAL.outranks(role.maxPriority()));
        return request.priority().isPresent() || !normal
                ? all
                : all.stream()
                        .filter(role -> !Priority.NORMAL.outranks(role.maxPriority()))
                        .toList();
    }

    /** Whether whoever asks may ask for it at all. */
    public boolean mayAsk(RouteRequest request) {
        return policy.roles().isEmpty() || !covering(request).isEmpty();
    }

    private boolean covers(Role role, RouteRequest request) {
        boolean known = request.identity().isPresent()
                && role.identities().stream()
                        .anyMatch(glob -> matches(glob, request.identity().orElseThrow()));
        boolean asked = request.need().isPresent()
                ? role.adhoc()
                : role.workloads().contains("*") || role.workloads().contains(request.workload());
        return known
                && asked
                && (role.capabilities().contains("*")
                        || same(role.capabilities()).containsAll(same(capabilities(request))))
                && !request.priority()
                        .map(wanted -> wanted.outranks(role.maxPriority()))
                        .orElse(false);
    }

    /** The priority that it has under a role. */
    public static Priority priority(RouteRequest request, Role role) {
        return request.priority()
                .orElse(role.maxPriority().outranks(Priority.NORMAL) ? Priority.NORMAL : role.maxPriority());
    }

    /** Whether a role may use a substrate. */
    public static boolean allows(Role role, Substrate substrate) {
        boolean accepted = substrate
                .acceptsRoles()
                .map(roles -> roles.contains(role.name()))
                .orElse(true);
        return accepted && (role.external() || substrate.kind() != SubstrateKind.EXTERNAL);
    }

    private Collection<String> capabilities(RouteRequest request) {
        return request.need()
                .map(Need::capabilities)
                .orElseGet(() -> workload(request).map(Workload::capabilities).orElse(List.of()));
    }

    private Contract contract(RouteRequest request) {
        Optional<Need> need = request.need();
        if (need.isPresent()) {
            Need it = need.get();
            return new Contract(
                    it.capabilities(),
                    it.codebase(),
                    it.reaches(),
                    it.vramGb(),
                    it.privacy().orElse(Trust.CONTROLLED),
                    it.minQuality(),
                    it.maxLatency(),
                    it.maxCost(),
                    0,
                    0);
        }
        Workload it = workload(request).orElseThrow();
        return new Contract(
                it.capabilities(),
                Optional.empty(),
                List.of(),
                it.vramGb(),
                it.privacy(),
                it.minQuality(),
                it.maxLatency(),
                it.maxCost(),
                it.reviewCost().orElse(0),
                it.errorCost().orElse(0));
    }

    /** Every clause that an offer does not satisfy; none: it may serve the request. */
    public Set<Reason> violated(RouteRequest request, Offer offer) {
        Contract contract = contract(request);
        Substrate substrate = offer.substrate();
        Candidate candidate = offer.candidate();
        Set<Reason> violated = EnumSet.noneOf(Reason.class);
        if (!policy.roles().isEmpty() && covering(request).stream().noneMatch(role -> allows(role, substrate))) {
            violated.add(Reason.ROLE);
        }
        if (substrate.kind() == SubstrateKind.BATCH && !offer.batchPath()) {
            violated.add(Reason.BATCH_ONLY);
        }
        if (request.avoid().contains(substrate.id())) {
            violated.add(Reason.AVOIDED);
        }
        if (!same(substrate.capabilities()).containsAll(same(contract.capabilities()))) {
            violated.add(Reason.CAPABILITY);
        }
        if (contract.codebase().isPresent()
                && !substrate.codebases().contains("*")
                && !same(substrate.codebases())
                        .contains(same(contract.codebase().get()))) {
            violated.add(Reason.CODEBASE);
        }
        if (!same(substrate.reaches()).containsAll(same(contract.reaches()))) {
            violated.add(Reason.REACH);
        }
        if (rank(substrate.trust()) > rank(contract.privacy())) {
            violated.add(Reason.PRIVACY);
        }
        if (contract.minQuality().isPresent()
                && candidate.quality().orElse(-1) < contract.minQuality().getAsDouble()) {
            violated.add(Reason.QUALITY);
        }
        if (contract.maxLatency().isPresent()
                && latency(candidate)
                        .filter(taken -> taken.compareTo(contract.maxLatency().get()) <= 0)
                        .isEmpty()) {
            violated.add(Reason.LATENCY);
        }
        if (contract.maxCost().isPresent()
                && cost(contract, offer)
                        .filter(cost ->
                                cost.compareTo(decimal(contract.maxCost().getAsDouble())) <= 0)
                        .isEmpty()) {
            violated.add(Reason.COST);
        }
        if (neverFits(contract, offer)) {
            violated.add(Reason.TOO_SMALL);
        }
        return violated;
    }

    /** Whether it is taken although a limit is just met, not more: the limits are inclusive. */
    public Set<Reason> justMet(RouteRequest request, Offer offer) {
        Contract contract = contract(request);
        Set<Reason> met = EnumSet.noneOf(Reason.class);
        if (contract.minQuality().isPresent() && offer.candidate().quality().equals(contract.minQuality())) {
            met.add(Reason.QUALITY);
        }
        if (contract.maxLatency().isPresent() && latency(offer.candidate()).equals(contract.maxLatency())) {
            met.add(Reason.LATENCY);
        }
        if (contract.maxCost().isPresent()
                && cost(contract, offer)
                        .filter(cost ->
                                cost.compareTo(decimal(contract.maxCost().getAsDouble())) == 0)
                        .isPresent()) {
            met.add(Reason.COST);
        }
        return met;
    }

    private static Optional<Duration> latency(Candidate candidate) {
        return candidate.expectedLatency().map(candidate.loadTime()::plus);
    }

    /** Compute, review and error of one job; empty when a figure that counts is not there. */
    private static Optional<BigDecimal> cost(Contract contract, Offer offer) {
        Candidate candidate = offer.candidate();
        BigDecimal cost;
        if (candidate.costPerJob().isPresent()) {
            cost = decimal(candidate.costPerJob().getAsDouble());
        } else if (offer.substrate().costPerHour().isPresent()
                && candidate.expectedLatency().isPresent()) {
            cost = decimal(offer.substrate().costPerHour().getAsDouble())
                    .multiply(
                            BigDecimal.valueOf(candidate.expectedLatency().get().toNanos()))
                    .divide(NANOS_PER_HOUR, MathContext.DECIMAL64);
        } else {
            return Optional.empty();
        }
        if (contract.reviewCost() > 0) {
            if (candidate.reviewRate().isEmpty()) {
                return Optional.empty();
            }
            cost = cost.add(decimal(candidate.reviewRate().getAsDouble()).multiply(decimal(contract.reviewCost())));
        }
        if (contract.errorCost() > 0) {
            if (candidate.quality().isEmpty()) {
                return Optional.empty();
            }
            cost = cost.add(BigDecimal.ONE
                    .subtract(decimal(candidate.quality().getAsDouble()))
                    .multiply(decimal(contract.errorCost())));
        }
        return Optional.of(cost);
    }

    /** Counted in MiB as the design says: needs rounded up, what is there rounded down. */
    private static boolean neverFits(Contract contract, Offer offer) {
        OptionalDouble needed =
                offer.candidate().vramGb().isPresent() ? offer.candidate().vramGb() : contract.vramGb();
        if (offer.substrate().vramGb().isEmpty()) {
            return offer.substrate().kind() == SubstrateKind.LOCAL
                    && contract.vramGb().orElse(0) > 0;
        }
        return needed.isPresent() && Math.ceil(needed.getAsDouble() * MIB) > mostMib(offer);
    }

    /** The most that a job could ever get there, MiB; infinite where the policy does not say how much there is. */
    static double mostMib(Offer offer) {
        OptionalDouble total = offer.substrate().vramGb();
        if (total.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        double usable = Math.floor(total.getAsDouble() * MIB)
                - Math.ceil(offer.substrate().keepFreeGb() * MIB);
        return offer.candidate().spansGpus()
                ? usable
                : Math.floor(usable / offer.substrate().gpus());
    }

    private static int rank(Trust trust) {
        return List.of(Trust.CONTROLLED, Trust.PARTNER, Trust.PUBLIC).indexOf(trust);
    }

    private static BigDecimal decimal(double value) {
        return BigDecimal.valueOf(value);
    }

    private static Set<String> same(Collection<String> names) {
        return names.stream().map(Constraints::same).collect(Collectors.toSet());
    }

    private static String same(String name) {
        return name.strip().toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
    }

    /** Whether a text is what a pattern says, in which {@code *} stands for any text. */
    public static boolean matches(String glob, String text) {
        int at = 0;
        int from = 0;
        int star = -1;
        int retry = 0;
        while (at < text.length()) {
            if (from < glob.length() && glob.charAt(from) == '*') {
                star = from++;
                retry = at;
            } else if (from < glob.length() && glob.charAt(from) == text.charAt(at)) {
                from++;
                at++;
            } else if (star >= 0) {
                from = star + 1;
                at = ++retry; // the star takes one character more
            } else {
                return false;
            }
        }
        return glob.substring(from).chars().allMatch(rest -> rest == '*');
    }
}
