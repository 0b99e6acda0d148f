package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link TakeUpRuns}.
 *
 * @param unreadable runs that cannot be continued; the log has the reasons
 */
public record TakenUp(List<String> unreadable) {}
