package dev.loopkeeper.policy;

import dev.loopkeeper.json.WireName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One time at which a schedule fired, should have fired, or was applied.
 *
 * @param at when it was due
 * @param key unique within the schedule: a repeated key is the same fire
 * @param node that recorded it; absent without a cluster
 * @param runId the run that it began
 * @param message why it began none; the definition where it was applied
 * @param vars of this fire alone
 */
public record Fire(
        String schedule,
        Instant at,
        String key,
        By by,
        Optional<String> node,
        Outcome outcome,
        Optional<String> runId,
        Optional<String> message,
        Map<String, String> vars) {
    /** What fired a schedule. */
    public enum By implements WireName {
        CRON,
        HAND,
        HOOK,
        /** The policy, which defines the schedule. */
        POLICY
    }

    /** What became of a fire. */
    public enum Outcome implements WireName {
        /** It is about to begin a run. */
        DUE,
        /** It waits for the end of the schedule's open run. */
        QUEUED,
        STARTED,
        SKIPPED,
        /** It was due while no server ran. */
        MISSED,
        FAILED,
        /** The schedule was applied, changed or removed; no fire. */
        APPLIED;

        /** The outcomes that change yet. */
        public static final Set<Outcome> OPEN = Set.of(DUE, QUEUED);
    }

    /** A fire that is due. */
    public static Fire due(
            String schedule, Instant at, String key, By by, Optional<String> node, Map<String, String> vars) {
        return new Fire(schedule, at, key, by, node, Outcome.DUE, Optional.empty(), Optional.empty(), vars);
    }

    /** Returns this fire with its outcome, and why. */
    public Fire with(Outcome other, String why) {
        return new Fire(schedule, at, key, by, node, other, runId, Optional.of(why), vars);
    }

    /** Returns this fire with the run that it began. */
    public Fire started(String run) {
        return new Fire(schedule, at, key, by, node, Outcome.STARTED, Optional.of(run), Optional.empty(), vars);
    }

    /** Returns what identifies its run. */
    public FiredAt run() {
        return new FiredAt(schedule, at);
    }
}
