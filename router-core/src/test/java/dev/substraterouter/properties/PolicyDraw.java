package dev.substraterouter.properties;

import dev.substraterouter.policy.Policy;

/** Where a {@link Duel} takes its policies from. Substrates are some of a, b, c. */
interface PolicyDraw {
    /** The memory that a substrate really has, GiB. */
    double gb(String id);

    /** The policy to begin with. */
    Policy first();

    /** The policy of a reload. */
    Policy next();
}
