/**
 * Loopkeeper inside somebody else's Vert.x, and inside our own command line.
 *
 * <p>Belongs here: the face that embedders use, and the one place where the parts are put together. Does not: any behaviour
 * of a part.
 */
@CheckReturnValue
package dev.loopkeeper.embed;

import com.google.errorprone.annotations.CheckReturnValue;
