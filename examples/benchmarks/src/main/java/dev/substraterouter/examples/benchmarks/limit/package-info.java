/** The least that a decision can cost: the same work written by hand, with nothing around it. */
@NullMarked
package dev.substraterouter.examples.benchmarks.limit;

import org.jspecify.annotations.NullMarked;
