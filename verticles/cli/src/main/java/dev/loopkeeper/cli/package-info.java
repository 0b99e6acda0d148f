/** The command line: a thin client of the HTTP API, and the two verbs that carry runs out themselves. */
@CheckReturnValue
package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CheckReturnValue;
