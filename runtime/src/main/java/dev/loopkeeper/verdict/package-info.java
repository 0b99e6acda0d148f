/**
 * What a signal says of the work.
 *
 * <p>Belongs here: the signal's fields, its strict reader, and the comparison of iterations that are alike. Does not:
 * finding or watching the file (it acts, in {@code signal}).
 */
@CheckReturnValue
package dev.loopkeeper.verdict;

import com.google.errorprone.annotations.CheckReturnValue;
