package dev.loopkeeper.contract.run;

import dev.loopkeeper.run.ResumeRequest;

/** Command: resume a paused, stopped, failed or queued run. Answered once that is durable. */
public record ResumeRun(String runId, ResumeRequest request) {}
