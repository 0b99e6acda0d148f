/**
 * The server, data folder and answers that commands work with.
 *
 * <p>Does not belong here: a command, or anything that only one of them needs ({@code cli.command}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CheckReturnValue;
