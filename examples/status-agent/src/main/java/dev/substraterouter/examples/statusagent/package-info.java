/** Serves a machine's status, read through the GPU vendor's tool. */
@NullMarked
package dev.substraterouter.examples.statusagent;

import org.jspecify.annotations.NullMarked;
