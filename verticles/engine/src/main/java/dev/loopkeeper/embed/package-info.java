/** Loopkeeper inside somebody else's Vert.x, and inside our own command line. */
@CheckReturnValue
package dev.loopkeeper.embed;

import com.google.errorprone.annotations.CheckReturnValue;
