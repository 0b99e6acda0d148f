/** One run as one file: export and import. */
@CheckReturnValue
package dev.loopkeeper.bundle;

import com.google.errorprone.annotations.CheckReturnValue;
