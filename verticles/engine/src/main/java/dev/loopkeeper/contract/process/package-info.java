/**
 * Channels of processes, {@code loopkeeper.processes.<verb>}, and the records that travel on them.
 *
 * <p>Belongs here: commands, questions and answers as records. Does not: who carries them out ({@code process}).
 */
@CheckReturnValue
package dev.loopkeeper.contract.process;

import com.google.errorprone.annotations.CheckReturnValue;
