/** A router in a situation that was told in words: which substrate is busy, hot, silent or out. */
@NullMarked
package dev.substraterouter.policy.cli.situation;

import org.jspecify.annotations.NullMarked;
