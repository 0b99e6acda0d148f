package dev.loopkeeper.contract.run;

import java.util.Optional;

/**
 * Command: end a run with the caller's reason. Answered once {@code run.stopping} (or the ending) is durable; refused
 * with {@code not-endable} if the run has ended, with {@code invalid-request} for an unknown reason.
 *
 * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
 * @param summary why, for people
 * @param qualifier recorded with the reason, e.g. {@code seat 7}
 */
public record EndRun(String runId, String reasonCode, String summary, Optional<String> qualifier) {}
