/**
 * Scenarios made of what a router has recorded: the same requests under another policy, or with something going wrong.
 *
 * <p>{@code Tally} is what one reading of the traces leaves in memory; {@code TracedRequests} reads them again in each run.
 */
@NullMarked
package dev.substraterouter.simulate.replay;

import org.jspecify.annotations.NullMarked;
