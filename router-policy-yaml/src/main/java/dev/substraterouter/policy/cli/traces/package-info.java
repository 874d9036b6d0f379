/** What traces tell of a policy: which of its figures are not what was observed, and what of it decided nothing. */
@NullMarked
package dev.substraterouter.policy.cli.traces;

import org.jspecify.annotations.NullMarked;
