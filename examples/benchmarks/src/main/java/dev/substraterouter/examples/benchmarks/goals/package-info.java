/** The goals of the router's own cost: what is measured for each, in one run, and whether it is met. */
@NullMarked
package dev.substraterouter.examples.benchmarks.goals;

import org.jspecify.annotations.NullMarked;
