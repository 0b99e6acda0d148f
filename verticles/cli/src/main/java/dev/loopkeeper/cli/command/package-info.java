/**
 * The commands about runs and manifests, one class each, and what only one command needs.
 *
 * <p>Does not belong here: access to servers and data folders ({@code cli.session}), output on terminals
 * ({@code cli.print}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.command;

import com.google.errorprone.annotations.CheckReturnValue;
