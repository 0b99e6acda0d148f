package dev.loopkeeper.contract.run;

import dev.loopkeeper.run.ResumeRequest;

/** Command: let a paused, stopped, failed or queued run go on. Answered once that is durable. */
public record ResumeRun(String runId, ResumeRequest request) {}
