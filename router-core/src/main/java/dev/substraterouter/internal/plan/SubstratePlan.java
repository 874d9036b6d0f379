package dev.substraterouter.internal.plan;

import dev.substraterouter.model.Need;
import dev.substraterouter.model.Trust;
import dev.substraterouter.model.Vram;
import dev.substraterouter.policy.Candidate;
import dev.substraterouter.policy.IdleVram;
import dev.substraterouter.policy.Owner;
import dev.substraterouter.policy.Substrate;
import dev.substraterouter.policy.SubstrateKind;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One substrate under one revision: what of it counts for admission, as plain numbers. Immutable. */
public final class SubstratePlan {
    /** In {@link #totalMib}: the policy does not say. */
    public static final long UNKNOWN = -1;

    public final int index;
    public final long revision;
    public final Substrate declared;
    public final String id;
    /** {@link Integer#MAX_VALUE} without a limit. */
    public final int maxJobs;

    public final int reserveForHigh;
    public final int gpus;
    public final long totalMib;
    public final long keepFreeMib;
    public final boolean evictable;
    public final boolean overflow;
    /** No longer in the policy: takes nothing new, and goes when its last lease has ended. */
    public final boolean retired;

    public final boolean external;
    final SubstrateKind kind;
    final Trust trust;
    /** In canonical form, as the next two. */
    final Set<String> capabilities;

    final Set<String> reaches;
    final Set<String> codebases;
    /** The roles it accepts; null: every one. */
    final @Nullable Set<String> acceptsRoles;
    /** What an hour of it costs; NaN when not declared. */
    public final double costPerHour;

    /** Whose it is; null: nobody's in particular. */
    public final @Nullable Owner owner;
    /** Where work is sent; null: the host serves it itself. */
    final @Nullable URI endpoint;
    /** It as a candidate of which nothing else is said. */
    final Candidate plain;
    /** What each model that the policy knows here holds while it is idle, MiB. */
    public final Map<String, Long> idleMib;
    /** Where it is noted whether it is shut, under {@link #index}. */
    public final Shutters shutters;

    SubstratePlan(int index, long revision, Substrate declared, Map<String, Long> idleMib, Shutters shutters) {
        this(index, revision, declared, idleMib, shutters, false);
    }

    private SubstratePlan(
            int index,
            long revision,
            Substrate declared,
            Map<String, Long> idleMib,
            Shutters shutters,
            boolean retired) {
        this.index = index;
        this.revision = revision;
        this.declared = declared;
        this.id = declared.id();
        this.maxJobs = declared.maxConcurrentJobs().orElse(Integer.MAX_VALUE);
        this.reserveForHigh = declared.reserveForHigh();
        this.gpus = declared.gpus();
        this.totalMib =
                declared.vramGb().isPresent() ? Vram.there(declared.vramGb().getAsDouble()) : UNKNOWN;
        this.keepFreeMib = Vram.taken(declared.keepFreeGb());
        this.evictable = declared.idleVram() == IdleVram.EVICTABLE;
        this.overflow = declared.overflow();
        this.kind = declared.kind();
        this.external = kind == SubstrateKind.EXTERNAL;
        this.trust = declared.trust();
        this.capabilities = canonical(declared.capabilities());
        this.reaches = canonical(declared.reaches());
        this.codebases = canonical(declared.codebases());
        this.acceptsRoles = declared.acceptsRoles().map(Set::copyOf).orElse(null);
        this.costPerHour = declared.costPerHour().orElse(Double.NaN);
        this.owner = declared.owner().orElse(null);
        this.endpoint = declared.endpoint().orElse(null);
        this.plain = Candidate.on(id);
        this.idleMib = Map.copyOf(idleMib);
        this.shutters = shutters;
        this.retired = retired;
    }

    /** The same substrate under a later revision that does not have it any more. */
    public SubstratePlan retired(long laterRevision) {
        return new SubstratePlan(index, laterRevision, declared, idleMib, shutters, true);
    }

    /** The most a job could ever get here, MiB. */
    public long mostMib(boolean spansGpus) {
        long usable = totalMib - keepFreeMib;
        return spansGpus ? usable : usable / gpus;
    }

    private static Set<String> canonical(List<String> names) {
        return names.stream().map(Need::canonical).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String toString() {
        return id + "@" + revision;
    }
}
