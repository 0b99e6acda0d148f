/**
 * Describes how an execution ends and what a resume requires.
 *
 * <p>Belongs here: reasons of endings and pauses, categories, terminations, terminal exhaustions, actions and fields of
 * a resume. Does not: the decision which of them applies ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.termination;

import com.google.errorprone.annotations.CheckReturnValue;
