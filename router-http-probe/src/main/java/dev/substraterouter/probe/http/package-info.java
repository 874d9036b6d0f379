/** Asks substrates for their status over HTTP and brings it to the router. */
@NullMarked
package dev.substraterouter.probe.http;

import org.jspecify.annotations.NullMarked;
