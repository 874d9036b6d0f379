/**
 * The router's figures as Micrometer meters: {@link dev.substraterouter.metrics.RouterMetrics}. Needs {@code micrometer-core}, which the
 * library does not bring; who uses nothing of this package needs nothing of it.
 */
@NullMarked
package dev.substraterouter.metrics;

import org.jspecify.annotations.NullMarked;
