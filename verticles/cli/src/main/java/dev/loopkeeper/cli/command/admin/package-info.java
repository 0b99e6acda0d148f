/**
 * The commands that administer servers, nodes, processes and the data folder: {@code serve}, {@code doctor},
 * {@code status}, {@code nodes}, {@code ps}, {@code reap}, {@code prune} and {@code import}.
 *
 * <p>Does not belong here: commands about one run ({@code cli.command}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.command.admin;

import com.google.errorprone.annotations.CheckReturnValue;
