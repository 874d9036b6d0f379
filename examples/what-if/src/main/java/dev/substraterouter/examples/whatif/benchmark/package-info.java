/** The published benchmark SUB2-v1: how well the router places, against simpler ways, reference results and goals. */
@NullMarked
package dev.substraterouter.examples.whatif.benchmark;

import org.jspecify.annotations.NullMarked;
