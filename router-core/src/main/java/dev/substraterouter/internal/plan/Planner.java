package dev.substraterouter.internal.plan;

import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.SubstrateKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes routes: filters by the whole contract, and orders what is left. Immutable; what it makes depends on the policy only. */
final class Planner {
    /** How a matched candidate stands: none is better than another but by its fit. */
    private static final CandidatePlan.Standing ANY = new CandidatePlan.Standing(0, true, false, null);

    private static final CandidatePlan.Standing OVERFLOW = new CandidatePlan.Standing(0, false, false, null);
    private static final CandidatePlan.Standing BATCH = new CandidatePlan.Standing(0, false, true, null);

    /** Every substrate in the order in which those that fit are tried, where memory is not judged: overflow last, then by id. */
    private final SubstratePlan[] byId;
    /** The same where it is: overflow last, the tightest fit first, then by id. What a job takes is the same on all. */
    private final SubstratePlan[] byFit;
    /** The same for jobs that may be spread over several GPUs. */
    private final SubstratePlan[] bySpreadFit;

    private final long revision;
    private final SubstratePlan[] substrates;
    private final Function<String, @Nullable SubstratePlan> named;
    private final BitSet live = new BitSet();
    private final BitSet batches = new BitSet();
    private final Map<String, BitSet> byCapability = new HashMap<>();

    Planner(long revision, SubstratePlan[] substrates, Function<String, @Nullable SubstratePlan> named) {
        this.revision = revision;
        this.substrates = substrates;
        this.named = named;
        this.byId = ordered(substrates, Comparator.comparing(substrate -> substrate.id));
        this.byFit = ordered(byId, Comparator.comparingLong(substrate -> most(substrate, false)));
        this.bySpreadFit = ordered(byId, Comparator.comparingLong(substrate -> most(substrate, true)));
        for (SubstratePlan substrate : substrates) {
            (substrate.kind == SubstrateKind.BATCH ? batches : live).set(substrate.index);
            for (String capability : substrate.capabilities) {
                byCapability.computeIfAbsent(capability, name -> new BitSet()).set(substrate.index);
            }
        }
    }

    private static SubstratePlan[] ordered(SubstratePlan[] substrates, Comparator<SubstratePlan> order) {
        SubstratePlan[] ordered = substrates.clone();
        Arrays.sort(
                ordered,
                Comparator.comparing((SubstratePlan substrate) -> substrate.overflow)
                        .thenComparing(order)); // stable
        return ordered;
    }

    private static long most(SubstratePlan substrate, boolean spansGpus) {
        return substrate.totalMib == SubstratePlan.UNKNOWN ? Long.MAX_VALUE : substrate.mostMib(spansGpus);
    }

    RoutePlan plan(RouteSpec spec, @Nullable RoleSet roles) {
        return spec.matched() ? matched(spec, roles) : written(spec, roles);
    }

    // written

    private RoutePlan written(RouteSpec spec, @Nullable RoleSet roles) {
        Candidate best = best(spec);
        List<CandidatePlan> plans = new ArrayList<>();
        for (boolean overflow : new boolean[] {false, true}) {
            for (int at = 0; at < spec.declared().size(); at++) {
                Candidate candidate = spec.declared().get(at);
                SubstratePlan substrate = substrate(candidate);
                if (substrate.overflow == overflow) {
                    CandidatePlan.Standing standing =
                            new CandidatePlan.Standing(plans.size(), candidate.equals(best), false, best);
                    CandidatePlan.Figures figures = CandidatePlan.Figures.of(spec, candidate);
                    plans.add(new CandidatePlan(spec, substrate, figures, standing, spec.experience() + at, roles));
                }
            }
        }
        return route(spec, plans, batch(spec, best, roles), roles);
    }

    /** The candidate that should serve: the first that is no overflow, or the first. */
    private Candidate best(RouteSpec spec) {
        return spec.declared().stream()
                .filter(candidate -> !substrate(candidate).overflow)
                .findFirst()
                .orElseGet(() -> spec.declared().get(0));
    }

    private @Nullable RoutePlan batch(RouteSpec spec, @Nullable Candidate best, @Nullable RoleSet roles) {
        Candidate written = spec.batch();
        if (written == null) {
            return null;
        }
        int experience = spec.experience() + experiences(spec) - 1;
        CandidatePlan plan = new CandidatePlan(
                spec,
                substrate(written),
                CandidatePlan.Figures.of(spec, written),
                new CandidatePlan.Standing(0, false, true, best),
                experience,
                roles);
        return route(spec, List.of(plan), null, roles);
    }

    // matched

    private RoutePlan matched(RouteSpec spec, @Nullable RoleSet roles) {
        List<CandidatePlan> fits = fitting(spec, live, false, roles);
        int count = fits.size(); // the list itself must not be kept
        RoutePlan batch = spec.batch() != null ? batch(spec, null, roles) : matchedBatch(spec, roles);
        return new RoutePlan(
                spec, revision, fits.toArray(CandidatePlan[]::new), batch, roles, () -> unfit(spec, count, roles));
    }

    private @Nullable RoutePlan matchedBatch(RouteSpec spec, @Nullable RoleSet roles) {
        List<CandidatePlan> fits = fitting(spec, batches, true, roles);
        return fits.isEmpty() ? null : route(spec, fits, null, roles);
    }

    /** The substrates that satisfy the contract: overflow last, the tightest fit first, then by id. */
    private List<CandidatePlan> fitting(RouteSpec spec, BitSet among, boolean batch, @Nullable RoleSet roles) {
        BitSet able = (BitSet) among.clone();
        for (String capability : spec.contract().capabilities) {
            able.and(byCapability.getOrDefault(capability, new BitSet()));
        }
        CandidatePlan.Figures figures = CandidatePlan.Figures.matched(spec);
        List<CandidatePlan> fits = new ArrayList<>(able.cardinality());
        for (SubstratePlan substrate : order(figures)) {
            if (able.get(substrate.index)) {
                CandidatePlan plan = match(spec, substrate, figures, batch, roles);
                if (plan.unusable == null) {
                    fits.add(plan);
                }
            }
        }
        return fits;
    }

    private SubstratePlan[] order(CandidatePlan.Figures figures) {
        if (figures.needMib() == CandidatePlan.NOT_JUDGED) {
            return byId;
        }
        return figures.spansGpus() ? bySpreadFit : byFit;
    }

    /** The first substrates that could never serve. */
    private RoutePlan.Unfit unfit(RouteSpec spec, int fit, @Nullable RoleSet roles) {
        CandidatePlan.Figures figures = CandidatePlan.Figures.matched(spec);
        List<CandidatePlan> first = live.stream()
                .mapToObj(index -> match(spec, substrates[index], figures, false, roles))
                .filter(plan -> plan.unusable != null)
                .limit(Many.FEW)
                .toList();
        return new RoutePlan.Unfit(first, live.cardinality() - fit - first.size());
    }

    private CandidatePlan match(
            RouteSpec spec,
            SubstratePlan substrate,
            CandidatePlan.Figures figures,
            boolean batch,
            @Nullable RoleSet roles) {
        int experience = spec.experience() < 0 ? CandidatePlan.NO_EXPERIENCE : spec.experience() + substrate.index;
        CandidatePlan.Standing standing = batch ? BATCH : substrate.overflow ? OVERFLOW : ANY;
        return new CandidatePlan(spec, substrate, figures, standing, experience, roles);
    }

    /** How many places in the book of latencies a spec has. */
    int experiences(RouteSpec spec) {
        return (spec.matched() ? substrates.length : spec.declared().size()) + 1;
    }

    private RoutePlan route(
            RouteSpec spec, List<CandidatePlan> candidates, @Nullable RoutePlan batch, @Nullable RoleSet roles) {
        return new RoutePlan(
                spec, revision, candidates.toArray(CandidatePlan[]::new), batch, roles, () -> RoutePlan.NONE_UNFIT);
    }

    private SubstratePlan substrate(Candidate candidate) {
        SubstratePlan substrate = named.apply(candidate.on());
        if (substrate == null) {
            throw new IllegalArgumentException("no substrate '" + candidate.on() + "' (expected: a checked policy)");
        }
        return substrate;
    }
}
