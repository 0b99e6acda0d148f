package dev.loopkeeper.contract.process;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Result of a stop or a scan: the processes found, their signals, and when they were gone.
 *
 * @param processes signalled processes; empty if there were none
 */
public record KillReceipt(
        String runId,
        Optional<String> stepId,
        Instant requestedAt,
        Instant verifiedAt,
        Outcome outcome,
        List<KilledProcess> processes) {

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
     * @param foundBy {@code session}, {@code group}, {@code descendant}, {@code nonce}, {@code cgroup} or
     *     {@code namespace}
     * @param signals in order, e.g. {@code [TERM, KILL]}
     * @param goneAt absent while it survives
     */
    public record KilledProcess(
            long pid, String command, String foundBy, List<String> signals, Optional<Instant> goneAt) {}
}
