/**
 * The processes of the machine: who is there, who belongs to which tree, and the end of a whole tree.
 *
 * <p>Belongs here: what reads {@code /proc} and sends signals. Does not: steps, their folders and their launcher
 * ({@code process}).
 */
@CheckReturnValue
package dev.loopkeeper.process.tree;

import com.google.errorprone.annotations.CheckReturnValue;
