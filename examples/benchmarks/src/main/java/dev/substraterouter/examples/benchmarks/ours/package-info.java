/** The router itself. */
@NullMarked
package dev.substraterouter.examples.benchmarks.ours;

import org.jspecify.annotations.NullMarked;
