package dev.loopkeeper.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Result of a stop or a scan: the processes found, their signals, and when they were gone.
 *
 * @param processes signalled processes; empty if there were none
 * @param by who requested it, as {@link dev.loopkeeper.run.Requester} says; absent where no person or program did
 * @param sandbox what the kernel enforced on them; absent without a sandbox, or where those of several steps differ
 */
public record KillReceipt(
        String runId,
        Optional<String> stepId,
        Instant requestedAt,
        Instant verifiedAt,
        Outcome outcome,
        List<KilledProcess> processes,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> sandbox) {
    /** Builds a receipt without a requester and a sandbox. */
    public KillReceipt(
            String runId,
            Optional<String> stepId,
            Instant requestedAt,
            Instant verifiedAt,
            Outcome outcome,
            List<KilledProcess> processes) {
        this(runId, stepId, requestedAt, verifiedAt, outcome, processes, Optional.empty(), Optional.empty());
    }

    /** Returns this receipt with its requester. */
    public KillReceipt withBy(Optional<String> requester) {
        return new KillReceipt(runId, stepId, requestedAt, verifiedAt, outcome, processes, requester, sandbox);
    }

    /** Returns this receipt with the level of a sandbox. */
    public KillReceipt withSandbox(Optional<String> level) {
        return new KillReceipt(runId, stepId, requestedAt, verifiedAt, outcome, processes, by, level);
    }

    /** Builds the receipt of a step of which no process was left. */
    public static KillReceipt nothing(String runId, String stepId, Instant now) {
        return new KillReceipt(runId, Optional.of(stepId), now, now, Outcome.gone, List.of());
    }

    /** Whether processes are left. */
    public enum Outcome {
        /** No process is left. */
        gone,
        /** Some processes could not be killed. */
        survivors
    }

    /**
     * A signalled process.
     *
     * @param pid 0 for a handler, whose {@code command} names it and its step
     * @param foundBy {@code session}, {@code group}, {@code descendant}, {@code nonce}, {@code cgroup}, {@code
     *     namespace} or {@code handler}
     * @param signals in order, e.g. {@code [TERM, KILL]}
     * @param goneAt absent while it survives
     */
    public record KilledProcess(
            long pid, String command, String foundBy, List<String> signals, Optional<Instant> goneAt) {}
}
