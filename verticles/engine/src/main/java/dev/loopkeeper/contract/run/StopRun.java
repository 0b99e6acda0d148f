package dev.loopkeeper.contract.run;

import java.util.Optional;

/**
 * Command: stop a run. Answered once {@code run.stopping} (or the ending) is durable.
 *
 * @param now skips the grace
 */
public record StopRun(String runId, Optional<String> reason, boolean now) {}
