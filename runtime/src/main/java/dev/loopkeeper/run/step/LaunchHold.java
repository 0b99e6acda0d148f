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
    /** The end of the message where no cool-down delays the launch. */
    public static final String PLACES_IN_USE = ", all its places are in use";

    /** Returns the command that ends the wait for a pool; a launch that tries after a cool-down is a part of it. */
    public static String poolRemedy(String pool, String message) {
        return message.endsWith(PLACES_IN_USE)
                ? "; more places by loopkeeper apply, or a higher priority, end the wait"
                : "; loopkeeper pools clear " + pool + " ends the cool-down";
    }

    /** What it waits for. */
    public enum Kind implements WireName {
        /** A place of a pool, or the end of its cool-down. */
        POOL,
        /** The next window of a cap. */
        CAP
    }
}
