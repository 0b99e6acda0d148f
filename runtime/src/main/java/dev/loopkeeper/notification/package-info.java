/**
 * Composes the messages that people read about a run: what happened, why, the question, the cost and a link.
 *
 * <p>Belongs here: which events a person must act on, and the shape, escapes and limits of each service. Does not: the
 * delivery ({@code notify}).
 */
@CheckReturnValue
package dev.loopkeeper.notification;

import com.google.errorprone.annotations.CheckReturnValue;
