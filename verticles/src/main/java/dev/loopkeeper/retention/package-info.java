/** What is removed because it is old. */
@CheckReturnValue
package dev.loopkeeper.retention;

import com.google.errorprone.annotations.CheckReturnValue;
