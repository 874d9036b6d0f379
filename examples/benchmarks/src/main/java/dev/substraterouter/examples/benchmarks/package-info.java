/** What a decision costs, beside the physical limit and what a team would otherwise use. */
@NullMarked
package dev.substraterouter.examples.benchmarks;

import org.jspecify.annotations.NullMarked;
