package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link ListWaiting}.
 *
 * @param runIds the run that waits longest is first
 */
public record WaitingRuns(List<String> runIds) {}
