package dev.substraterouter.internal.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.substraterouter.model.Need;
import dev.substraterouter.model.RouteRequest;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.Operation;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Role;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One revision of the policy, compiled: what depends on the policy only is computed here, once. Thread-safe.
 *
 * <p>The routes of workloads are made at once. Those of needs, and those for a set of roles, are made when they are first asked for and
 * kept in a bounded cache, which goes with the revision.
 */
public final class CompiledPolicy {
    /** The name of the places that all workloads without their own share. */
    public static final String SHARED_PLACES = "";
    /** How many candidates the cached routes may have in all; what else they hold counts as candidates too. */
    private static final long MOST_CACHED = 50_000;
    /** What a cached route weighs beside its candidates. */
    private static final int PLAN_WEIGHT = 8;
    /** How many characters of a need weigh as much as a candidate. */
    private static final int TEXT_PER_CANDIDATE = 64;

    public final Policy policy;
    public final long revision;
    public final SubstratePlan[] substrates;
    /** Which of the substrates are shut. */
    public final Shutters shutters;

    private final Map<String, RouteSpec> specs = new LinkedHashMap<>();
    private final Map<String, RoutePlan> routes = new LinkedHashMap<>();
    private final Map<String, SubstratePlan> byId = new HashMap<>();
    private final @Nullable RoleIndex roles;
    private final Planner planner;
    /** Made when a route is first kept: loading its classes would take a third of the time until the first placement. */
    private volatile @Nullable Cache<PlanKey, RoutePlan> cache;

    private volatile boolean retired;
    private int experiences;

    /**
     * What a cached route is for.
     *
     * @param subject the workload's name, or the need
     * @param roles the names of the roles; null: the policy has none
     */
    private record PlanKey(Object subject, @Nullable List<String> roles) {}

    /** Compiles a checked policy that has its revision. */
    public CompiledPolicy(Policy policy) {
        this.policy = policy;
        this.revision = policy.revision();
        Map<String, Map<String, Long>> idle = idleMib(policy);
        List<Substrate> declared = policy.substrates();
        substrates = new SubstratePlan[declared.size()];
        shutters = new Shutters(substrates.length);
        for (int index = 0; index < substrates.length; index++) {
            Substrate substrate = declared.get(index);
            substrates[index] = new SubstratePlan(
                    index, revision, substrate, idle.getOrDefault(substrate.id(), Map.of()), shutters);
            byId.put(substrate.id(), substrates[index]);
        }
        roles = policy.roles().isEmpty() ? null : new RoleIndex(policy.roles());
        planner = new Planner(revision, substrates, byId::get);
        for (Workload workload : policy.workloads()) {
            RouteSpec spec = RouteSpec.of(policy, workload, experiences);
            experiences += planner.experiences(spec);
            specs.put(workload.name(), spec);
            routes.put(workload.name(), planner.plan(spec, null));
        }
    }

    /** The route of a request; null when it has none, and {@link #denial} says why. */
    public @Nullable RoutePlan route(RouteRequest request) {
        Need need = request.need().orElse(null);
        if (roles == null) {
            return need == null ? routes.get(request.workload()) : cached(need, null);
        }
        RouteSpec spec = need == null ? specs.get(request.workload()) : null;
        if (need == null && spec == null) {
            return null;
        }
        RoleSet asking = asking(request, spec == null ? Objects.requireNonNull(need) : spec.contract().need);
        return asking == null ? null : cached(spec == null ? Objects.requireNonNull(need) : spec, asking);
    }

    /** The route of a workload for nobody in particular, or null when the policy has no such workload. */
    public @Nullable RoutePlan route(String workload) {
        return routes.get(workload);
    }

    /** Why a request has no route. */
    public Denial denial(RouteRequest request) {
        RouteSpec spec =
                request.need().isPresent() ? RouteSpec.of(policy, request.need().get()) : specs.get(request.workload());
        RoleIndex index = roles;
        if (index == null) {
            return Denial.unknown(specs.keySet());
        }
        Set<Role> held = index.of(request.identity().orElse(null));
        Need need = spec == null ? Need.builder().build() : spec.contract().need;
        Denial denial = Denial.of(request, need, held);
        return denial != null ? denial : Denial.unknown(specs.keySet());
    }

    /** Whether somebody may do something to the router. */
    public boolean mayOperate(@Nullable String identity, Operation operation) {
        return roles == null || roles.mayOperate(identity, operation);
    }

    /** The route of every workload for nobody in particular, in the order of declaration. */
    public Collection<RoutePlan> routes() {
        return routes.values();
    }

    /** The substrate with an id, or null when the policy has none. */
    public @Nullable SubstratePlan substrate(String id) {
        return byId.get(id);
    }

    /** How many places the book of latencies has. */
    public int experiences() {
        return experiences;
    }

    private RoutePlan cached(Object subject, @Nullable RoleSet asking) {
        boolean adHoc = subject instanceof Need;
        PlanKey key =
                new PlanKey(adHoc ? subject : ((RouteSpec) subject).workload(), asking == null ? null : asking.names());
        Cache<PlanKey, RoutePlan> kept = cache;
        RoutePlan known = kept == null ? null : kept.getIfPresent(key);
        if (known == null) { // two may make the same route at once: they are equal
            RouteSpec spec = adHoc ? RouteSpec.of(policy, (Need) subject) : (RouteSpec) subject;
            known = planner.plan(spec, asking);
            keep(key, known);
        }
        return known;
    }

    /** Keeps a route that somebody could use; one that nobody could is made quickly. */
    private void keep(PlanKey key, RoutePlan plan) {
        if (!retired && (plan.candidates.length > 0 || plan.batch != null)) {
            cache().put(key, plan);
            if (retired) {
                cache = null;
            }
        }
    }

    /** Two may make it at once: what goes into the one that is lost is made again. */
    private Cache<PlanKey, RoutePlan> cache() {
        Cache<PlanKey, RoutePlan> made = cache;
        if (made == null) {
            made = Caffeine.newBuilder()
                    .maximumWeight(MOST_CACHED)
                    .weigher((PlanKey key, RoutePlan plan) -> weight(plan))
                    .executor(Runnable::run)
                    .build();
            cache = made;
        }
        return made;
    }

    private static int weight(RoutePlan plan) {
        int batch = plan.batch == null ? 0 : plan.batch.candidates.length;
        return plan.candidates.length
                + batch
                + PLAN_WEIGHT
                + plan.need().toString().length() / TEXT_PER_CANDIDATE;
    }

    /** Lets go of the cached routes: another revision is in force, and traces may refer to this one for long. */
    public void retire() {
        retired = true;
        cache = null;
    }

    /** The roles that cover all that a request asks for; null: none does. */
    private @Nullable RoleSet asking(RouteRequest request, Need need) {
        String workload = request.need().isPresent() ? null : request.workload();
        List<Role> covering = new ArrayList<>();
        if (roles != null) {
            for (Role role : roles.of(request.identity().orElse(null))) {
                if (RoleSet.covers(role, workload, need) && RoleSet.mayBeAs(role, request.priority())) {
                    covering.add(role);
                }
            }
        }
        return covering.isEmpty() ? null : RoleSet.asking(covering, request.priority());
    }

    /** What each model that some workload would use holds while it is idle, by substrate. */
    private static Map<String, Map<String, Long>> idleMib(Policy policy) {
        Map<String, Map<String, Long>> idle = new HashMap<>();
        for (Workload workload : policy.workloads()) {
            for (Candidate candidate : workload.candidates()) {
                OptionalDouble whole = candidate.vramGb().isPresent() ? candidate.vramGb() : workload.vramGb();
                if (candidate.model().isPresent() && whole.isPresent()) {
                    double held = candidate.jobVramGb().isPresent()
                            ? whole.getAsDouble() - candidate.jobVramGb().getAsDouble()
                            : whole.getAsDouble();
                    idle.computeIfAbsent(candidate.on(), id -> new HashMap<>())
                            .merge(candidate.model().get(), Vram.there(held), Math::min);
                }
            }
        }
        return idle;
    }
}
