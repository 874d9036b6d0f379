/** What the user declares: substrates, workloads, roles and limits, all immutable. */
@NullMarked
package dev.substraterouter.policy;

import org.jspecify.annotations.NullMarked;
