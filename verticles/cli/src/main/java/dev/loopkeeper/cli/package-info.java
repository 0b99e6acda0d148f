/**
 * The command line: a thin client of the HTTP API. The commands {@code run} and {@code serve} own runs themselves, as
 * do {@code resume} and {@code stop} if there is no server.
 *
 * <p>Belongs here: the code that creates a command and starts it. Does not belong here: the commands themselves
 * ({@code cli.command}).
 */
@CheckReturnValue
package dev.loopkeeper.cli;

import com.google.errorprone.annotations.CheckReturnValue;
