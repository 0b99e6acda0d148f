/**
 * The command line: a thin client of the HTTP API, and the verbs that can carry runs out themselves:
 * {@code run} and {@code serve}, and {@code resume} and {@code stop} where no server is.
 *
 * <p>Belongs here: what puts a command together and starts it. Does not: the verbs ({@code cli.verb}).
 */
@CheckReturnValue
package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CheckReturnValue;
