/** What is asked from outside, by HTTP or by file: read strictly, and refused in words that name the place. */
@CheckReturnValue
package dev.loopkeeper.request;

import com.google.errorprone.annotations.CheckReturnValue;
