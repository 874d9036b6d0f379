/** What the library tests itself with, for the tests of its hosts: hand-driven time, and statuses and policies ready to use. */
@NullMarked
package dev.substraterouter.testkit;

import org.jspecify.annotations.NullMarked;
