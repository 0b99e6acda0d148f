/**
 * HTTP and WebSocket in front of the event bus.
 *
 * <p>Belongs here: one class per group of routes, access, limits. Does not: rules and records of runs, the feed
 * ({@code gateway.feed}), what every route works with ({@code gateway.http}).
 */
@CheckReturnValue
package dev.loopkeeper.gateway;

import com.google.errorprone.annotations.CheckReturnValue;
