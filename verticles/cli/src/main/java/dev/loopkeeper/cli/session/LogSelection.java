package dev.loopkeeper.cli.session;

import java.util.OptionalLong;

/**
 * How a step's log is to be printed.
 *
 * @param follow until the step has ended
 * @param raw byte by byte; else line by line and harmless to a terminal
 * @param tail only so many of the last lines of each stream
 */
public record LogSelection(boolean follow, boolean raw, OptionalLong tail) {}
