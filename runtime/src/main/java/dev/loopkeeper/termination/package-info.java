/**
 * How an execution ends, and what a resume needs.
 *
 * <p>Belongs here: reasons of endings and of pauses, categories, terminations, terminal exhaustions, the actions and fields of a resume. Does not: which
 * of them holds ({@code rules}).
 */
@CheckReturnValue
package dev.loopkeeper.termination;

import com.google.errorprone.annotations.CheckReturnValue;
