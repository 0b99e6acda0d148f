/**
 * Common parts of all routes: endpoints, answers, problems, queries.
 *
 * <p>Contains HTTP without knowledge of runs. Routes are in {@code gateway}, the feed is in {@code gateway.feed}.
 */
@CheckReturnValue
package dev.loopkeeper.gateway.http;

import com.google.errorprone.annotations.CheckReturnValue;
