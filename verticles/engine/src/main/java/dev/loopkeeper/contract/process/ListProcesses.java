package dev.loopkeeper.contract.process;

import java.util.Optional;

/**
 * Question: which agents live.
 *
 * @param runId only those of this run
 */
public record ListProcesses(Optional<String> runId) {}
