package dev.loopkeeper.cli.session;

import java.util.OptionalLong;

/**
 * How to print the log of a step.
 *
 * @param follow print until the step has ended
 * @param raw print unchanged bytes; otherwise lines without control characters
 * @param tail only this many of the last lines of each stream
 */
public record LogSelection(boolean follow, boolean raw, OptionalLong tail) {}
