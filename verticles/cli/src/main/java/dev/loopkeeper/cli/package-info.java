/**
 * The command line: a thin client of the HTTP API, and the two verbs that carry runs out themselves.
 *
 * <p>Belongs here: what puts a command together and starts it. Does not: the verbs ({@code cli.verb}).
 */
@CheckReturnValue
package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CheckReturnValue;
