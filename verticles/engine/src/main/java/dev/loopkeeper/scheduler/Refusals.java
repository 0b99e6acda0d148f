package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import java.util.List;
import java.util.Map;

/** Builds the refusals that do not come from the state machine. */
final class Refusals {
    private Refusals() {}

    static RunAnswer notFound(String runId) {
        return of(RefusalCode.NOT_FOUND, "there is no run " + runId + "; list them with GET /runs", Map.of());
    }

    static RunAnswer noRole(String why) {
        return of(RefusalCode.NOT_FOUND, why, Map.of());
    }

    static RunAnswer noStep(String runId, String stepId) {
        return of(RefusalCode.NOT_FOUND, "run " + runId + " has no step " + stepId, Map.of());
    }

    static RunAnswer noAsk(String runId, String ask) {
        return of(RefusalCode.NOT_FOUND, "run " + runId + " has no ask " + ask, Map.of());
    }

    static RunAnswer exists(String runId) {
        return of(RefusalCode.RUN_EXISTS, "run " + runId + " exists already; choose another id", Map.of());
    }

    static RunAnswer keyReused(String runId) {
        return of(
                RefusalCode.IDEMPOTENCY_KEY_REUSED,
                "this Idempotency-Key was already sent with a different request, which created run " + runId
                        + "; send a new key with each new request",
                Map.of("runId", runId));
    }

    static RunAnswer draining() {
        return of(RefusalCode.DRAINING, "this runtime is stopping and accepts no more work", Map.of());
    }

    static RunAnswer storeUnavailable(Throwable why) {
        if (why instanceof StoreException damaged && damaged.isOfDamagedRecord()) {
            return of(RefusalCode.STORE_UNAVAILABLE, damaged.getMessage(), Map.of());
        }
        String outcome = why instanceof StoreUnavailableException
                ? "the event store is unavailable; nothing is launched until the store answers. The request "
                        + "may have been recorded, so check before you repeat the request: "
                : "nothing was done, because the event store cannot be used: ";
        return of(RefusalCode.STORE_UNAVAILABLE, outcome + why.getMessage(), Map.of());
    }

    static RunAnswer stopUnrecorded(String why) {
        return of(
                RefusalCode.STORE_UNAVAILABLE,
                "the processes of the run are being stopped, but the stop is not recorded yet, because the event store cannot be used: "
                        + why,
                Map.of());
    }

    static RunAnswer invalid(List<ManifestProblem> problems) {
        return of(
                RefusalCode.INVALID_MANIFEST,
                problems.get(0).text(),
                Map.of("errors", problems.stream().map(ManifestProblem::json).toList()));
    }

    static RunAnswer badId(String runId) {
        return of(
                RefusalCode.INVALID_REQUEST,
                "runId may have " + RunId.RULE + ": " + OneLine.of(runId, OneLine.SUMMARY),
                Map.of());
    }

    /** Wraps a refusal of the state machine. */
    static RunAnswer of(Refusal refusal) {
        return RunAnswer.refused(refusal);
    }

    private static RunAnswer of(RefusalCode code, String message, Map<String, Object> details) {
        return RunAnswer.refused(new Refusal(code, message, details));
    }
}
