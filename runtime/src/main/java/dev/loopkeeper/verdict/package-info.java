/**
 * Reads and compares signals, in which an agent rates its work.
 *
 * <p>Belongs here: the signal's fields, its strict reader, and the comparison of iterations. Does not: finding or
 * watching the file ({@code signal}).
 */
@CheckReturnValue
package dev.loopkeeper.verdict;

import com.google.errorprone.annotations.CheckReturnValue;
