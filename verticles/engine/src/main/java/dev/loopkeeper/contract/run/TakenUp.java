package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link TakeUpRuns}.
 *
 * @param unreadable those that cannot be carried on, which the log explains
 */
public record TakenUp(List<String> unreadable) {}
