/** What a team would otherwise use, each used as its own documentation says. */
@NullMarked
package dev.substraterouter.examples.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
