/**
 * What is asked from outside, by HTTP or by file: read strictly, and refused in words that name the place.
 *
 * <p>Belongs here: requests that more than one way in accepts. Does not: who may ask ({@code gateway}).
 */
@CheckReturnValue
package dev.loopkeeper.request;

import com.google.errorprone.annotations.CheckReturnValue;
