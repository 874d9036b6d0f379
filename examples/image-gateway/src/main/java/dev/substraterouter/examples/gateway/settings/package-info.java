/** The gateway's own settings file. */
@NullMarked
package dev.substraterouter.examples.gateway.settings;

import org.jspecify.annotations.NullMarked;
