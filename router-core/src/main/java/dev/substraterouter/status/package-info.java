/** What a substrate says of itself, who brings it, and the predicates that judge it. */
@NullMarked
package dev.substraterouter.status;

import org.jspecify.annotations.NullMarked;
