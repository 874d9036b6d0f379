/**
 * Means to be sure of a policy before it is put in force: what looks wrong in it, what it does in every situation, and what a change of it
 * changes.
 */
@NullMarked
package dev.substraterouter.verify;

import org.jspecify.annotations.NullMarked;
