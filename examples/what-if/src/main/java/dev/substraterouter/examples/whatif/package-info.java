/** The what-if tool: is a router worth it, and which policy? */
@NullMarked
package dev.substraterouter.examples.whatif;

import org.jspecify.annotations.NullMarked;
