/**
 * HTTP and WebSocket in front of the event bus.
 *
 * <p>Contains one class for each group of routes. Access and limits are in {@code gateway.access}, the feed is in
 * {@code gateway.feed}, common parts of routes are in {@code gateway.http}.
 */
@CheckReturnValue
package dev.loopkeeper.gateway;

import com.google.errorprone.annotations.CheckReturnValue;
