package dev.loopkeeper.contract.run;

import java.util.Optional;

/** Command: pause a run before its next step. Answered once that is durable. */
public record PauseRun(String runId, Optional<String> reason) {}
