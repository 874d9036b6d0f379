/** Simulated workers, and the gateway before them, to try on one machine. */
@NullMarked
package dev.substraterouter.examples.gateway.demo;

import org.jspecify.annotations.NullMarked;
