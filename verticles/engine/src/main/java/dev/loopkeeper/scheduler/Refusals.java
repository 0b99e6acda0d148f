package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.store.StoreUnavailableException;
import java.util.List;
import java.util.Map;

/** Builds the refusals that do not come from the state machine. */
final class Refusals {
    private Refusals() {}

    static RunAnswer notFound(String runId) {
        return of("not-found", "there is no run " + runId + "; list them with GET /runs", Map.of());
    }

    static RunAnswer noRole(String why) {
        return of("not-found", why, Map.of());
    }

    static RunAnswer noStep(String runId, String stepId) {
        return of("not-found", "run " + runId + " has no step " + stepId, Map.of());
    }

    static RunAnswer exists(String runId) {
        return of("run-exists", "run " + runId + " exists already; choose another id", Map.of());
    }

    static RunAnswer keyReused(String runId) {
        return of(
                "idempotency-key-reused",
                "this Idempotency-Key made run " + runId + " of another request; send a new key with a new request",
                Map.of("runId", runId));
    }

    static RunAnswer draining() {
        return of("draining", "this runtime is ending and takes no more work", Map.of());
    }

    static RunAnswer storeUnavailable(Throwable why) {
        String outcome = why instanceof StoreUnavailableException
                ? "the store is unavailable and is waited for; nothing is launched until then, but the request "
                        + "may have been recorded, so check before you repeat it: "
                : "nothing was done, the store cannot be used: ";
        return of("store-unavailable", outcome + why.getMessage(), Map.of());
    }

    static RunAnswer stopUnrecorded(String why) {
        return of(
                "store-unavailable",
                "the processes of the run are being ended, but its stop is not recorded yet, the store cannot be used: "
                        + why,
                Map.of());
    }

    static RunAnswer invalid(List<ManifestProblem> problems) {
        return of(
                "invalid-manifest",
                problems.get(0).text(),
                Map.of("errors", problems.stream().map(ManifestProblem::json).toList()));
    }

    static RunAnswer badId(String runId) {
        return of(
                "invalid-request",
                "runId may have " + RunId.RULE + ": " + OneLine.of(runId, OneLine.SUMMARY),
                Map.of());
    }

    /** Wraps a refusal of the state machine. */
    static RunAnswer of(Refusal refusal) {
        return RunAnswer.refused(refusal);
    }

    private static RunAnswer of(String code, String message, Map<String, Object> details) {
        return RunAnswer.refused(new Refusal(code, message, details));
    }
}
