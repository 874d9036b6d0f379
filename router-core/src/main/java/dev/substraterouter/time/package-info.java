/** Time as the router sees it: injected, monotonic, and drivable by hand in tests. */
@NullMarked
package dev.substraterouter.time;

import org.jspecify.annotations.NullMarked;
