/**
 * What commands work with: the server that they ask, the data folder that they own or read, and the answers.
 *
 * <p>Does not belong here: a command, or anything that only one of them needs ({@code cli.command}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CheckReturnValue;
