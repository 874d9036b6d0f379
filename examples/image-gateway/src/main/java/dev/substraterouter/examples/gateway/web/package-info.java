/** What every HTTP surface of the gateway shares: listeners, JSON, problems. */
@NullMarked
package dev.substraterouter.examples.gateway.web;

import org.jspecify.annotations.NullMarked;
