/** Two workers, three routes, one story: what a host writes, and what the router does then. */
@NullMarked
package dev.substraterouter.examples.quickstart;

import org.jspecify.annotations.NullMarked;
