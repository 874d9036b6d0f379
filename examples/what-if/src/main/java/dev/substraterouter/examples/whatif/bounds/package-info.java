/**
 * How well a run could have been placed at all: a schedule by somebody who knows everything in advance, and a bound below which nobody
 * comes.
 */
@NullMarked
package dev.substraterouter.examples.whatif.bounds;

import org.jspecify.annotations.NullMarked;
