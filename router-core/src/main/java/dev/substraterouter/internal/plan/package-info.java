/** Who may serve: the policy compiled into arrays, once per revision. */
@NullMarked
package dev.substraterouter.internal.plan;

import org.jspecify.annotations.NullMarked;
