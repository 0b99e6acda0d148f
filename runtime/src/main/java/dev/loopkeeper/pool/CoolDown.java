package dev.loopkeeper.pool;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The time in which nothing of a pool is launched, and after it the single launch that tries.
 *
 * @param until the latest time that a provider stated
 * @param reason what was reported, one line
 * @param since when it was reported
 * @param runId the run that met the limit
 * @param stepId the step that met it
 * @param returnsBy until when only that run may try; absent once it has tried or does not return automatically
 * @param probe the claim that tries now
 */
@RecordBuilder
public record CoolDown(
        Instant until,
        String reason,
        Instant since,
        String runId,
        String stepId,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> returnsBy,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> probe)
        implements CoolDownBuilder.With {
    /** Whether this claim may try now. */
    boolean mayTry(PoolClaim claim, Instant at) {
        return returnsBy.isEmpty() || claim.runId().equals(runId) || !at.isBefore(returnsBy.get());
    }

    /** Whether the claim is of the run that met the limit, which tries first. */
    boolean isFirst(PoolClaim claim) {
        return returnsBy.isPresent() && claim.runId().equals(runId);
    }
}
