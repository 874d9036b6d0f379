/** Why a decision fell as it did: reason codes, the record of one request, and the events of a router. */
@NullMarked
package dev.substraterouter.trace;

import org.jspecify.annotations.NullMarked;
