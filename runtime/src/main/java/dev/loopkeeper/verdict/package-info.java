/** What a signal says of the work. */
@CheckReturnValue
package dev.loopkeeper.verdict;

import com.google.errorprone.annotations.CheckReturnValue;
