/** What the figures say in words: pin, capability matching or router, at whose cost, and with which settings. */
@NullMarked
package dev.substraterouter.examples.whatif.advice;

import org.jspecify.annotations.NullMarked;
