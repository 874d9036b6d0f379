/** What is taken: leases and the memory they reserve, and who waits. Nothing here knows health. */
@NullMarked
package dev.substraterouter.internal.admission;

import org.jspecify.annotations.NullMarked;
