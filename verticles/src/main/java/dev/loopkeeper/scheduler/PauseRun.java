package dev.loopkeeper.scheduler;

import java.util.Optional;

/** Command: pause a run before its next step. Answered once that is durable. */
public record PauseRun(String runId, Optional<String> reason) {}
