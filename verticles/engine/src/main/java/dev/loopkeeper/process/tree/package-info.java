/**
 * The processes of the machine: snapshots, process trees, and the termination of a tree.
 *
 * <p>Contains what reads {@code /proc} and sends signals. Steps, their folders and their launcher are in {@code process}.
 */
@CheckReturnValue
package dev.loopkeeper.process.tree;

import com.google.errorprone.annotations.CheckReturnValue;
