/** What helps to run the gateway on a machine: rules for its firewall. */
@NullMarked
package dev.substraterouter.examples.gateway.deploy;

import org.jspecify.annotations.NullMarked;
