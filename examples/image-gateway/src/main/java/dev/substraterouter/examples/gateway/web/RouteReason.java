package dev.substraterouter.examples.gateway.web;

import dev.substraterouter.model.DegradedReason;
import dev.substraterouter.trace.Attempt;
import dev.substraterouter.trace.Considered;
import dev.substraterouter.trace.Finding;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Why a request is where it is, in a line, for headers and metadata. Stateless. */
public final class RouteReason {
    private RouteReason() {}

    /** The way it was served by and, when it was not the primary's, why those before were not taken: {@code fallback: legion gpu util 93 >= 70}. */
    public static String of(Attempt attempt) {
        String path = lower(attempt.path());
        String others = attempt.considered().stream()
                .filter(candidate -> !candidate.admissible())
                .map(RouteReason::against)
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? path : path + ": " + others;
    }

    /** In what it is less than the primary as declared: {@code not-primary, slower}; empty when in nothing. */
    public static String degraded(Collection<DegradedReason> reasons) {
        return reasons.stream().sorted().map(RouteReason::lower).collect(Collectors.joining(", "));
    }

    private static String against(Considered candidate) {
        return candidate.substrateId() + " "
                + candidate.findings().stream().map(Finding::text).collect(Collectors.joining(", "));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
