/** How an execution ends, and what a resume needs. */
@CheckReturnValue
package dev.loopkeeper.termination;

import com.google.errorprone.annotations.CheckReturnValue;
