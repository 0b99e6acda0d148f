/**
 * Watching for the signal files that steps leave behind, and reading them when a step is over.
 *
 * <p>Belongs here: files and their identities. Does not: what a signal says ({@code verdict}).
 */
@CheckReturnValue
package dev.loopkeeper.signal;

import com.google.errorprone.annotations.CheckReturnValue;
