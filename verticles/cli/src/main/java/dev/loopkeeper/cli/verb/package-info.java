/**
 * One class per verb, and what only one verb needs.
 *
 * <p>Does not belong here: how a server or a data folder is reached ({@code cli.session}), how things look
 * ({@code cli.print}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.verb;

import com.google.errorprone.annotations.CheckReturnValue;
