package dev.loopkeeper.embed;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An expected refusal of a request. The message is one sentence that says what to do. */
public final class RunRefusedException extends LoopkeeperException {
    private final transient Refusal refusal;

    RunRefusedException(Refusal refusal) {
        super(refusal.message());
        this.refusal = refusal;
    }

    /** Returns the stable code, e.g. {@link RefusalCode#NOT_FOUND}. */
    public RefusalCode code() {
        return refusal.code();
    }

    /** Returns the allowed actions in the order in which they are offered; empty for most codes. */
    public List<ResumeAction> allowedActions() {
        return all("allowedActions", ResumeAction.class);
    }

    /** Returns what a resume lacks, e.g. {@code feedback}; empty for most codes. */
    public List<String> missing() {
        return all("missing", String.class);
    }

    /** Returns the run that uses the signal file, or that the idempotency key created; absent for other codes. */
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
