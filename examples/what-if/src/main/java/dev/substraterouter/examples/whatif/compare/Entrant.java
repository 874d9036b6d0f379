package dev.substraterouter.examples.whatif.compare;

import dev.substraterouter.policy.Policy;
import dev.substraterouter.simulate.Contender;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of those compared: the router with some policy, or somebody else who places. Immutable. */
public final class Entrant {
    private final String name;
    private final String what;
    private final Policy policy;
    private final @Nullable Supplier<Contender> placing;
    private final boolean everyLoad;

    private Entrant(String name, String what, Policy policy, @Nullable Supplier<Contender> placing, boolean everyLoad) {
        this.name = Objects.requireNonNull(name, "name");
        this.what = Objects.requireNonNull(what, "what");
        this.policy = Objects.requireNonNull(policy, "policy");
        this.placing = placing;
        this.everyLoad = everyLoad;
    }

    /**
     * The router.
     *
     * @param name what tables call it
     * @param what what it is, in a few words
     * @param policy what it is given
     */
    public static Entrant router(String name, String what, Policy policy) {
        return new Entrant(name, what, policy, null, true);
    }

    /**
     * Somebody else.
     *
     * @param name what tables call it
     * @param what what it is, in a few words
     * @param policy what describes the machines
     * @param placing makes a new one for each run
     */
    public static Entrant other(String name, String what, Policy policy, Supplier<Contender> placing) {
        return new Entrant(name, what, policy, Objects.requireNonNull(placing, "placing"), true);
    }

    /** The same, run at the base load only. */
    public Entrant atBaseLoadOnly() {
        return new Entrant(name, what, policy, placing, false);
    }

    /** What tables call it. */
    public String name() {
        return name;
    }

    /** What it is, in a few words. */
    public String what() {
        return what;
    }

    /** What the router is given, or what describes the machines to somebody else. */
    public Policy policy() {
        return policy;
    }

    /** Makes who places, anew for each run; empty: the router places. */
    public Optional<Supplier<Contender>> placing() {
        return Optional.ofNullable(placing);
    }

    /** Whether it is run at every load, not only at the base load. */
    public boolean everyLoad() {
        return everyLoad;
    }

    @Override
    public String toString() {
        return name;
    }
}
