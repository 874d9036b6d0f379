/** Who asks, and what they may. */
@NullMarked
package dev.substraterouter.examples.gateway.access;

import org.jspecify.annotations.NullMarked;
