package dev.loopkeeper.pool;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * The claim of one step on a place of a pool: it waits for one, or has one.
 *
 * @param slot position of the step in its run, e.g. {@code item/frames//f1/0}
 * @param since when it began to wait
 * @param grantedAt when it got its place; absent while it waits
 */
@RecordBuilder
public record PoolClaim(
        String runId,
        String slot,
        int priority,
        Instant since,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> grantedAt)
        implements PoolClaimBuilder.With {
    /** Who is next: the higher priority, then who has waited longest. */
    static final Comparator<PoolClaim> ORDER = Comparator.comparing(PoolClaim::priority, Comparator.reverseOrder())
            .thenComparing(PoolClaim::since)
            .thenComparing(PoolClaim::key);

    /** Identifies the claim in its pool. */
    @JsonIgnore
    public String key() {
        return keyOf(runId, slot);
    }

    static String keyOf(String runId, String slot) {
        return runId + "/" + slot;
    }

    boolean waits() {
        return grantedAt.isEmpty();
    }
}
