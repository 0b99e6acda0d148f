/**
 * The live feed: a snapshot, then every event without a gap, for WebSocket and server-sent events alike.
 *
 * <p>A client that cannot keep up is closed, and slows nobody.
 */
@CheckReturnValue
package dev.loopkeeper.gateway.feed;

import com.google.errorprone.annotations.CheckReturnValue;
