/**
 * Reads requests from HTTP and control files strictly, and refuses them with the position of the error.
 *
 * <p>Belongs here: requests that more than one way in accepts. Does not: who may ask ({@code gateway}).
 */
@CheckReturnValue
package dev.loopkeeper.request;

import com.google.errorprone.annotations.CheckReturnValue;
