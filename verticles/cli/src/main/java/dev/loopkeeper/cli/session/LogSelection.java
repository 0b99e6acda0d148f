package dev.loopkeeper.cli.session;

import java.util.OptionalLong;

/**
 * How to print the log of a step.
 *
 * @param follow print until the step has ended
 * @param tail only this many of the last lines of each stream
 */
public record LogSelection(boolean follow, OptionalLong tail) {}
