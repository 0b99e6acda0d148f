/**
 * What the state machine receives and returns beside events: inputs, commands, refusals, previews.
 *
 * <p>Does not belong here: a rule ({@code rules}), an event ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.rules.message;

import com.google.errorprone.annotations.CheckReturnValue;
