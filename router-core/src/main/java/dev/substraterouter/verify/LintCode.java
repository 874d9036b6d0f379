package dev.substraterouter.verify;

import dev.substraterouter.policy.PolicyProblem;
import java.util.Locale;

/** What lint may find; {@link PolicyLint} says what each means. */
enum LintCode {
    REQUIRED_AND_IGNORED,
    RECOVERY_BELOW_ROOM,
    WAIT_WITHOUT_PLACES,
    WEIGHTS_WITHOUT_ORDER,
    FINISH_MARGIN_WITHOUT_USE,
    EXTERNAL_WITHOUT_ROLES,
    ACCEPTS_ROLES_WITHOUT_ROLES,
    UNREACHABLE_SUBSTRATE,
    RESERVE_LEAVES_NOTHING,
    RESERVE_FOR_NOBODY,
    RESERVE_WITHOUT_LIMIT,
    KEEP_FREE_LEAVES_NOTHING,
    VIRTUAL_WITHOUT_MCP_URL,
    ROUTER_ON_SUBSTRATE,
    UNSERVABLE_WORKLOAD,
    WORKLOAD_FOR_NOBODY,
    UNOFFERED_CAPABILITY,
    VRAM_ABOVE_EVERY_GPU,
    CANDIDATE_BATCH_ONLY,
    CANDIDATE_BREAKS_PRIVACY,
    CANDIDATE_BREAKS_CAPABILITY,
    CANDIDATE_BREAKS_MEMORY,
    CANDIDATE_BREAKS_QUALITY,
    CANDIDATE_BREAKS_LATENCY,
    CANDIDATE_BREAKS_COST,
    CANDIDATE_FOR_NOBODY,
    SHADOWED_CANDIDATE,
    PIN_TO_OVERFLOW,
    ROUTE_OF_ONE,
    UNREACHABLE_BATCH,
    OVERFLOW_AFTER_WITHOUT_OVERFLOW,
    JOB_VRAM_WITHOUT_MODEL,
    LOAD_TIME_WITHOUT_MODEL,
    STRATEGY_FOR_ONE,
    STRATEGY_WITHOUT_FIGURES,
    ROLE_WITHOUT_USE,
    ROLE_WORKLOAD_OUT_OF_REACH;

    /** The code as it is told. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A problem with this code. */
    PolicyProblem at(String path, String message) {
        return PolicyProblem.warning(id(), path, message);
    }
}
