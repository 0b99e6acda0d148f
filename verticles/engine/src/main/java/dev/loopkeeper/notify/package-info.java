/**
 * Notifies webhooks and commands of the events of runs.
 *
 * <p>Belongs here: the outbox of each target, retries, the message. Does not: which events there are ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.notify;

import com.google.errorprone.annotations.CheckReturnValue;
