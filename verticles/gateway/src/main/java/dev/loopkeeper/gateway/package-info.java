/** HTTP and WebSocket in front of the event bus: routes, the feed, access, error documents. */
@CheckReturnValue
package dev.loopkeeper.gateway;

import com.google.errorprone.annotations.CheckReturnValue;
