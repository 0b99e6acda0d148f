package dev.loopkeeper.policy;

import java.time.Instant;

/**
 * The fire that began a run.
 *
 * @param name of the schedule
 * @param at when the fire was due
 */
public record FiredAt(String name, Instant at) {
    /** Returns the idempotency key of the run, e.g. {@code schedule/nightly/2026-06-02T02:00:00Z}. */
    public String runKey() {
        return "schedule/" + name + "/" + at;
    }

    /** Returns who requests what the fire does, as in {@code by} of events. */
    public String requester() {
        return "schedule " + name;
    }
}
