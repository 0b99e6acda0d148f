/** From a manifest file or document to a checked submission; nothing is started or written here. */
@CheckReturnValue
package dev.loopkeeper.submit;

import com.google.errorprone.annotations.CheckReturnValue;
