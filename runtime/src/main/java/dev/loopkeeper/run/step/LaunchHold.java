package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.json.WireName;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a launch waits for other runs.
 *
 * @param detail the name of the pool or cap
 * @param message for people, one line
 * @param resumeAt when it may continue; absent when unknown
 */
public record LaunchHold(
        Kind reason,
        String detail,
        String message,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> resumeAt) {
    /** What it waits for. */
    public enum Kind implements WireName {
        /** A place of a pool, or the end of its cool-down. */
        POOL,
        /** The next window of a cap. */
        CAP
    }
}
