package dev.substraterouter.policy.cli.situation;

import dev.substraterouter.SubstrateRouter;
import dev.substraterouter.SubstrateView;
import dev.substraterouter.policy.HealthLimits;
import dev.substraterouter.policy.Policy;
import dev.substraterouter.policy.Substrate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A router under a policy, whose substrates are as was said of them; those of which nothing was said are idle. Its time stands still, and it
 * logs nothing. For one thread.
 */
public final class Situation implements AutoCloseable {
    private static final long SEED = 1;

    /** After it, a status tells that the work that failed runs no more; no ejection is as short. */
    private static final Duration A_MOMENT = Duration.ofNanos(1);

    /** How the substrate is of which nothing is said. */
    private static final String NOTHING_SAID = "idle";

    private final Policy policy;
    private final Map<Substrate, Said> said;
    private final StillTime time = new StillTime();
    private final SubstrateRouter router;

    private Situation(Policy policy, Map<Substrate, Said> said) {
        this.policy = policy;
        this.said = said;
        List<Substrate> ejected = those(Condition.EJECTED);
        router = SubstrateRouter.builder()
                .policy(ejected.isEmpty() ? policy : Faults.policy(policy, ejected))
                .timeSource(time)
                .executor(Runnable::run)
                .log(false)
                .recentTraces(0)
                .seed(SEED)
                .build();
    }

    /**
     * The router in a situation.
     *
     * @param policy the policy
     * @param words what is said of substrates, by id, for example {@code busy} or {@code util:93,temp:60}
     * @throws IllegalArgumentException if the policy has no such substrate, or a word is not known
     */
    public static Situation of(Policy policy, Map<String, String> words) {
        words.keySet().stream()
                .filter(id -> policy.substrate(id).isEmpty())
                .findFirst()
                .ifPresent(id -> refuse(id, policy));
        Map<Substrate, Said> said = new LinkedHashMap<>();
        for (Substrate substrate : policy.substrates()) {
            String word = words.getOrDefault(substrate.id(), NOTHING_SAID);
            said.put(substrate, Said.of(substrate, limits(policy, substrate), word));
        }
        Situation situation = new Situation(policy, said);
        try {
            situation.arrange();
        } catch (RuntimeException e) {
            situation.close();
            throw e;
        }
        return situation;
    }

    /** The words that can be said of a substrate, for the help. */
    public static String words() {
        return Said.WORDS + "; and figures as KEY:VALUE: " + Said.FIGURES;
    }

    /** The router. */
    public SubstrateRouter router() {
        return router;
    }

    @Override
    public void close() {
        router.close();
    }

    private static void refuse(String id, Policy policy) {
        List<String> known = policy.substrates().stream().map(Substrate::id).toList();
        throw new IllegalArgumentException(
                "no substrate '" + id + "' in the policy (expected: one of " + String.join(", ", known) + ")");
    }

    private static HealthLimits limits(Policy policy, Substrate substrate) {
        return substrate.health().map(own -> own.over(policy.health())).orElse(policy.health());
    }

    /** In this order: the time that makes a status stale would end an ejection, too. */
    private void arrange() {
        List<Substrate> stale = those(Condition.STALE);
        stale.forEach(this::report);
        time.pass(stale.stream()
                .map(substrate -> limits(policy, substrate).staleAfter().plusSeconds(1))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO));
        List<Substrate> ejected = those(Condition.EJECTED);
        if (!ejected.isEmpty()) {
            eject(ejected);
        }
        said.keySet().stream().filter(this::tellsNow).forEach(this::report);
        those(Condition.CORDONED).forEach(substrate -> router.cordon(substrate.id()));
        refuseReturned(ejected);
    }

    private void eject(List<Substrate> ejected) {
        ejected.forEach(this::report);
        ejected.forEach(substrate -> Faults.eject(router, substrate));
        router.reload(policy);
        time.pass(A_MOMENT);
    }

    /** The answer would be to another question. */
    private void refuseReturned(List<Substrate> ejected) {
        List<String> out = router.substrates().stream()
                .filter(view -> view.ejectedUntil().isPresent())
                .map(SubstrateView::id)
                .toList();
        ejected.stream()
                .map(Substrate::id)
                .filter(id -> !out.contains(id))
                .findFirst()
                .ifPresent(Situation::refuseReturned);
    }

    private static void refuseReturned(String id) {
        throw new IllegalArgumentException(
                id + ": 'ejected' (expected: another word; faults do not keep it out under this policy)");
    }

    private boolean tellsNow(Substrate substrate) {
        return !is(substrate, Condition.STALE) && !is(substrate, Condition.SILENT);
    }

    private void report(Substrate substrate) {
        router.reportStatus(substrate.id(), said(substrate).status());
    }

    private List<Substrate> those(Condition condition) {
        return said.keySet().stream()
                .filter(substrate -> is(substrate, condition))
                .toList();
    }

    private boolean is(Substrate substrate, Condition condition) {
        return said(substrate).is(condition);
    }

    private Said said(Substrate substrate) {
        return Objects.requireNonNull(said.get(substrate), substrate.id());
    }
}
