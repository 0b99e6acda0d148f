/**
 * Channels of runs, {@code loopkeeper.runs.<verb>}, and the records that travel on them.
 *
 * <p>Belongs here: commands, questions and answers as records. Does not: who carries them out ({@code scheduler}).
 */
@CheckReturnValue
package dev.loopkeeper.contract.run;

import com.google.errorprone.annotations.CheckReturnValue;
