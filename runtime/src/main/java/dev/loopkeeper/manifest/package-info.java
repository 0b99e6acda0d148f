/** The file that describes a run, and its strict reader. */
@CheckReturnValue
package dev.loopkeeper.manifest;

import com.google.errorprone.annotations.CheckReturnValue;
