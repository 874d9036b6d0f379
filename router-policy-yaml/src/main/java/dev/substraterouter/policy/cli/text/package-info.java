/** How the command line prints: lines of a file with a caret, JSON, and texts from anywhere that cannot harm a terminal. */
@NullMarked
package dev.substraterouter.policy.cli.text;

import org.jspecify.annotations.NullMarked;
