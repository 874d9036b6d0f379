/**
 * Policies as YAML files: reads them with every problem at its line and column, writes them, watches them while a router runs, and tells
 * editors their JSON Schema.
 *
 * <p>A file goes through the tables of {@code PolicyKeys} (are these the keys and types of a policy) to the policy's own check (does it
 * make sense) and its lint (is it meant). Writing goes through the same tables the other way.
 */
@NullMarked
package dev.substraterouter.policy.yaml;

import org.jspecify.annotations.NullMarked;
