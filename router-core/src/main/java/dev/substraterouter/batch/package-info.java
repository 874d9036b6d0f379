/**
 * The batch path: work that may wait, kept in a {@link dev.substraterouter.batch.BatchQueue}, drained by a
 * {@link dev.substraterouter.batch.BatchDispatcher} through the router whenever nobody else needs the place.
 */
@NullMarked
package dev.substraterouter.batch;

import org.jspecify.annotations.NullMarked;
