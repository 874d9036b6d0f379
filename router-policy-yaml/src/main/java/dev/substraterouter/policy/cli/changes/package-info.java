/** What differs between two policies, key by key. */
@NullMarked
package dev.substraterouter.policy.cli.changes;

import org.jspecify.annotations.NullMarked;
