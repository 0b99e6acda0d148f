/**
 * One run as one file: export and import.
 *
 * <p>Belongs here: the format of a bundle, its writer and its strict reader. Does not: the commands ({@code cli.command}),
 * putting a run into a store ({@code retention}).
 */
@CheckReturnValue
package dev.loopkeeper.bundle;

import com.google.errorprone.annotations.CheckReturnValue;
