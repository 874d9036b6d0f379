/**
 * The facade: {@link dev.substraterouter.SubstrateRouter} places work on unequal substrates, gated on live health, bounded, and with a
 * trace of why.
 */
@NullMarked
package dev.substraterouter;

import org.jspecify.annotations.NullMarked;
