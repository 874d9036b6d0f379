/** What the gateway can be asked, apart from how: the same for HTTP and MCP. */
@NullMarked
package dev.substraterouter.examples.gateway.tools;

import org.jspecify.annotations.NullMarked;
