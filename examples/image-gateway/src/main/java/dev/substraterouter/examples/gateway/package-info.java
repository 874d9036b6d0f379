/** A gateway for image generation: one endpoint, HTTP and MCP, that hides which substrate serves. */
@NullMarked
package dev.substraterouter.examples.gateway;

import org.jspecify.annotations.NullMarked;
