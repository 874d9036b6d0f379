/** Is it healthy: what statuses say, hysteresis, ejection and its single trial. Pure values; nothing here counts leases. */
@NullMarked
package dev.substraterouter.internal.gate;

import org.jspecify.annotations.NullMarked;
