/** Commands that arrive as files in a workspace. */
@CheckReturnValue
package dev.loopkeeper.control;

import com.google.errorprone.annotations.CheckReturnValue;
