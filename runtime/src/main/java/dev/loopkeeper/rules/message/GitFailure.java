package dev.loopkeeper.rules.message;

/**
 * A failed git command.
 *
 * @param message the cause and the remedy
 * @param ofWork whether the work is the cause, e.g. an unfinished merge; otherwise the machine is
 */
public record GitFailure(String message, boolean ofWork) {}
