/** The tools as MCP, over streamable HTTP and standard input and output. */
@NullMarked
package dev.substraterouter.examples.gateway.mcp;

import org.jspecify.annotations.NullMarked;
