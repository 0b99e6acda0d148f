package dev.loopkeeper.embed;

import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An expected "no" to what was asked. The message is one sentence that says what to do. */
public final class RunRefusedException extends LoopkeeperException {
    private final transient Refusal refusal;

    RunRefusedException(Refusal refusal) {
        super(refusal.message());
        this.refusal = refusal;
    }

    /**
     * Stable: {@code not-found}, {@code run-exists}, {@code invalid-request}, {@code invalid-manifest},
     * {@code idempotency-key-reused}, {@code action-not-allowed}, {@code resume-precondition}, {@code not-resumable},
     * {@code not-stoppable}, {@code not-endable}, {@code not-pausable}, {@code signal-in-use}, {@code draining} or
     * {@code store-unavailable}.
     */
    public String code() {
        return refusal.code();
    }

    /** What may be done instead, in the order in which it is offered; empty for most codes. */
    public List<ResumeAction> allowedActions() {
        return all("allowedActions", ResumeAction.class);
    }

    /** What a resume lacks, e.g. {@code feedback}; empty for most codes. */
    public List<String> missing() {
        return all("missing", String.class);
    }

    /** The run that has the signal file, or that the idempotency key has made; absent for other codes. */
    public Optional<String> otherRun() {
        return Optional.ofNullable(refusal.details().get("runId")).map(Object::toString);
    }

    private <T> List<T> all(String name, Class<T> kind) {
        return Stream.ofNullable(refusal.details().get(name))
                .filter(List.class::isInstance)
                .flatMap(values -> ((List<?>) values).stream())
                .map(kind::cast)
                .toList();
    }
}
