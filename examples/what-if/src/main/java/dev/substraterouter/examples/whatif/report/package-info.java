/** Shows a comparison: a page with charts, JSON, and a table for the terminal. */
@NullMarked
package dev.substraterouter.examples.whatif.report;

import org.jspecify.annotations.NullMarked;
