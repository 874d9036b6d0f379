/**
 * Policies as YAML files: reads them with every problem at its line and column, and writes them.
 *
 * <p>A file goes through the tables of {@code PolicyKeys} (are these the keys and types of a policy) to the policy's own check (does it
 * make sense). Writing goes through the same tables the other way.
 */
@NullMarked
package dev.substraterouter.policy.yaml;

import org.jspecify.annotations.NullMarked;
