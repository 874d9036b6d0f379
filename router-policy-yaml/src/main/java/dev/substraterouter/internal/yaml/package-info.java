/**
 * Reads YAML files by tables of their keys, with every problem at its line and column, and writes them. Not exported.
 *
 * <p>The way of a file: {@code SourceText} (is it text at all) to {@code TreeReader} (is it YAML, and small enough) to a {@code Section}
 * (are these the keys and types it may have). Writing goes through the same tables the other way.
 */
@NullMarked
package dev.substraterouter.internal.yaml;

import org.jspecify.annotations.NullMarked;
