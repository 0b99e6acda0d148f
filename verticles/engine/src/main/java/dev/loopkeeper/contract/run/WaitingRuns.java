package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Answer to {@link ListWaiting}.
 *
 * @param runIds who has waited longest first
 */
public record WaitingRuns(List<String> runIds) {}
