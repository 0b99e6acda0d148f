/**
 * The tools, resources and prompts of Loopkeeper for clients of the Model Context Protocol, over the HTTP API. The
 * standard streams of {@code loopkeeper mcp} and the route {@code POST /mcp} use them; no transport belongs here.
 */
@CheckReturnValue
package dev.loopkeeper.gateway.mcp;

import com.google.errorprone.annotations.CheckReturnValue;
