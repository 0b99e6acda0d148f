/**
 * The live feed: a snapshot, then every event without gaps, over WebSocket or as server-sent events.
 *
 * <p>A client that reads too slowly is closed and does not delay other clients.
 */
@CheckReturnValue
package dev.loopkeeper.gateway.feed;

import com.google.errorprone.annotations.CheckReturnValue;
