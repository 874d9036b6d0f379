/** Forwards a workload's request to the worker it is placed on and streams the answer. */
@NullMarked
package dev.substraterouter.examples.gateway.forward;

import org.jspecify.annotations.NullMarked;
