/** From a sentence to a need, by rules and without guessing. */
@NullMarked
package dev.substraterouter.infer;

import org.jspecify.annotations.NullMarked;
