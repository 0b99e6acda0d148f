/** What lies in a data folder, and which of its files nobody may open beside their owner. */
@CheckReturnValue
package dev.loopkeeper.data;

import com.google.errorprone.annotations.CheckReturnValue;
