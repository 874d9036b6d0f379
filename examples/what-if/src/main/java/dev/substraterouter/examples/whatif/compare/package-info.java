/** Runs contenders on the same requests and keeps figures with confidence intervals: measures, paired differences. */
@NullMarked
package dev.substraterouter.examples.whatif.compare;

import org.jspecify.annotations.NullMarked;
