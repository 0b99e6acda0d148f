package dev.loopkeeper.rules;

/**
 * Git could not do what was asked of it.
 *
 * @param message why, and what a person can do
 * @param ofWork whether the work itself is at fault, e.g. a merge that an agent left half done; else the machine is
 */
public record GitFailure(String message, boolean ofWork) {}
