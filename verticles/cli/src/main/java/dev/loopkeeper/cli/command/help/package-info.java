/**
 * Help about commands, and the completion of their names, options and values in shells.
 *
 * <p>Does not belong here: the groups in the help of the program ({@code cli}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.command.help;

import com.google.errorprone.annotations.CheckReturnValue;
