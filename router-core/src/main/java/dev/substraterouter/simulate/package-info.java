/**
 * Runs the router itself under virtual time against a scenario: the traffic, the machines, what disturbs them and what goes wrong. One
 * thread, seeded: equal inputs give equal reports, to the byte, on any machine.
 */
@NullMarked
package dev.substraterouter.simulate;

import org.jspecify.annotations.NullMarked;
