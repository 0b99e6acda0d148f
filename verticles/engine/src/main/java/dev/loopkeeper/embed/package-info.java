/**
 * Embeds Loopkeeper in another application's Vert.x, and in our own command line.
 *
 * <p>Belongs here: the API for embedding code, and the wiring of all parts. Does not: any behaviour of a part.
 */
@CheckReturnValue
package dev.loopkeeper.embed;

import com.google.errorprone.annotations.CheckReturnValue;
