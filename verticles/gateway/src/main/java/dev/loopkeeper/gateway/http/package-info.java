/**
 * What every route works with: endpoints, answers, problems, queries.
 *
 * <p>Belongs here: HTTP without a word of runs. Does not: routes ({@code gateway}), the feed ({@code gateway.feed}).
 */
@CheckReturnValue
package dev.loopkeeper.gateway.http;

import com.google.errorprone.annotations.CheckReturnValue;
