package dev.loopkeeper.contract.process;

import java.util.Optional;

/**
 * Request: the live agents.
 *
 * @param runId only those of this run
 */
public record ListProcesses(Optional<String> runId) {}
