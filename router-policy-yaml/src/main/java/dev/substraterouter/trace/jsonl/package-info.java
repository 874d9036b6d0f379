/**
 * Traces as files of JSON lines: a sink that keeps them, and a reader.
 *
 * <p>{@code TraceWriter} and {@code TraceReader} are the format, one the other's mirror; {@code TraceFiles} turns files over and mends
 * them; {@code LineFile} is what it asks of a file.
 */
@NullMarked
package dev.substraterouter.trace.jsonl;

import org.jspecify.annotations.NullMarked;
