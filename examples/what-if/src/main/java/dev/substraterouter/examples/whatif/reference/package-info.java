/**
 * Simple ways to place requests, with which the router is compared. All of them share one waiting line, one picture of the nodes and one
 * way to start work; each is a choice of options.
 */
@NullMarked
package dev.substraterouter.examples.whatif.reference;

import org.jspecify.annotations.NullMarked;
