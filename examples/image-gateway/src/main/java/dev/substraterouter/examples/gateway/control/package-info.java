/** The operator's listener: admin, events, history, metrics and the page. */
@NullMarked
package dev.substraterouter.examples.gateway.control;

import org.jspecify.annotations.NullMarked;
