package dev.loopkeeper.contract.process;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Proof of what a stop or a sweep found, signalled and saw gone.
 *
 * @param processes every process that was signalled; empty when there was nothing to do
 */
public record KillReceipt(
        String runId,
        Optional<String> stepId,
        Instant requestedAt,
        Instant verifiedAt,
        Outcome outcome,
        List<KilledProcess> processes) {

    /** Whether anything is left. */
    public enum Outcome {
        /** Nothing is left. */
        gone,
        /** Something would not die. */
        survivors
    }

    /**
     * One process.
     *
     * @param foundBy {@code session}, {@code group}, {@code descendant}, {@code nonce}, {@code cgroup} or
     *     {@code namespace}
     * @param signals in order, e.g. {@code [TERM, KILL]}
     * @param goneAt absent while it survives
     */
    public record KilledProcess(
            long pid, String command, String foundBy, List<String> signals, Optional<Instant> goneAt) {}
}
