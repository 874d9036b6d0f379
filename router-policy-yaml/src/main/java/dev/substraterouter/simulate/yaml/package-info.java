/**
 * Scenarios of simulations as YAML files, read with every problem at its line and column.
 *
 * <p>A file goes through the tables of {@code ScenarioKeys} and of those that it names: each map is read into a draft by the table of its
 * keys, whose types know their ranges, and what is drafted without a problem is made a part of the scenario.
 */
@NullMarked
package dev.substraterouter.simulate.yaml;

import org.jspecify.annotations.NullMarked;
