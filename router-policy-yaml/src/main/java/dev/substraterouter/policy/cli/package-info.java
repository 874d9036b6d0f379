/**
 * The command line: proves a policy before it is put in force, and tells from traces what it does.
 *
 * <p>Nothing outside this package and the rooms below it needs picocli. Nothing here is API.
 */
@NullMarked
package dev.substraterouter.policy.cli;

import org.jspecify.annotations.NullMarked;
