/** Calls the workers, within the addresses the policy allows. */
@NullMarked
package dev.substraterouter.examples.gateway.worker;

import org.jspecify.annotations.NullMarked;
