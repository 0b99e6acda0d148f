/**
 * Channels of signals, {@code loopkeeper.signals.<verb>}, and the records that travel on them.
 *
 * <p>Belongs here: commands, questions and answers as records. Does not: who carries them out ({@code signal}).
 */
@CheckReturnValue
package dev.loopkeeper.contract.signal;

import com.google.errorprone.annotations.CheckReturnValue;
