/**
 * Immutable collections and changed copies of them. Does not belong here: anything that knows runs.
 */
@CheckReturnValue
package dev.loopkeeper.collection;

import com.google.errorprone.annotations.CheckReturnValue;
