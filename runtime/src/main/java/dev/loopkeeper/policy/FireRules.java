package dev.loopkeeper.policy;

import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.Schedule.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides when a schedule fires, and what a fire does. */
public final class FireRules {
    /** A fire that is seen later than this was missed: the machine slept, or its clock was set forward. */
    public static final Duration LATEST = Duration.ofMinutes(5);

    /** Number of missed fires that are recorded at most, the newest. */
    public static final int MOST_MISSED = 50;

    /** After this time the node that applied a policy has not recorded what it changed. */
    private static final Duration LATEST_RECORD = Duration.ofSeconds(5);

    private static final String REMOVED = "";

    private FireRules() {}

    /** What a fire does next. */
    public enum Next {
        START,
        SKIP,
        /** Wait for the end of the open run. */
        WAIT,
        /** Stop the open run, and wait for its end. */
        REPLACE
    }

    /**
     * Returns what an open fire does next.
     *
     * @param running whether a run of the schedule has not ended
     * @param newest whether no later fire of the schedule is open
     */
    public static Next next(Schedule schedule, boolean running, boolean newest) {
        if (!running) {
            return Next.START;
        }
        return switch (schedule.overlap()) {
            case SKIP -> Next.SKIP;
            case QUEUE -> newest ? Next.WAIT : Next.SKIP;
            case REPLACE -> newest ? Next.REPLACE : Next.SKIP;
        };
    }

    /** Returns whether cron and hooks may fire, or why not. */
    public static Optional<String> refusal(Schedule schedule, By by) {
        return schedule.enabled() || by == By.HAND
                ? Optional.empty()
                : Optional.of("the schedule is not enabled; set enabled: true in the policy");
    }

    /**
     * Returns the fires of the cron expression after {@code since} up to now, oldest first: the newest is due unless it
     * is late, the others were missed. A clock that was set back has none.
     *
     * @param since the newest fire, or when the schedule was applied
     * @param begun since when this server runs
     */
    public static List<Fire> due(Schedule schedule, Instant since, Instant begun, Instant now, Optional<String> node) {
        if (!schedule.enabled() || schedule.cron().isEmpty() || !now.isAfter(since)) {
            return List.of();
        }
        List<Instant> times = Cron.of(schedule.cron().get()).between(since, now, schedule.zone(), MOST_MISSED);
        List<Fire> fires = new ArrayList<>();
        for (Instant at : times.subList(Math.max(0, times.size() - MOST_MISSED), times.size())) {
            Fire fire = Fire.due(schedule.name(), at, "cron/" + at, By.CRON, node, Map.of());
            boolean last = at.equals(times.get(times.size() - 1));
            boolean inTime = !at.isBefore(begun) && !at.plus(LATEST).isBefore(now);
            boolean runs = last && (schedule.missed() == Missed.ONCE || inTime);
            fires.add(runs ? fire : fire.with(Outcome.MISSED, "no server was running at that time"));
        }
        return fires;
    }

    /** Returns what failed, until a later fire works. */
    public static Optional<String> attention(List<Fire> newestFirst) {
        return newestFirst.stream()
                .filter(fire -> fire.outcome() == Outcome.STARTED || fire.outcome() == Outcome.FAILED)
                .findFirst()
                .filter(fire -> fire.outcome() == Outcome.FAILED)
                .flatMap(Fire::message);
    }

    /**
     * Returns whether a node records what a policy changed: the one that applied it, or any once that one has not done
     * it for a while.
     *
     * @param seenAt when this node first saw the policy
     */
    public static boolean records(boolean appliedHere, Instant seenAt, Instant now) {
        return appliedHere || now.isAfter(seenAt.plus(LATEST_RECORD));
    }

    /**
     * Returns whether this process fires a schedule: the one with the duty if all see its manifest, else the node that
     * applied it.
     *
     * @param application the newest application of this name
     * @param node this one; absent without a cluster
     */
    public static boolean isOwn(
            Schedule schedule, Optional<Fire> application, Optional<String> node, boolean seenByAll, boolean duty) {
        return application
                .filter(known -> isOf(known, schedule))
                .filter(known -> seenByAll ? duty : known.node().equals(node))
                .isPresent();
    }

    private static boolean isOf(Fire application, Schedule schedule) {
        return application.message().equals(Optional.of(definition(schedule)));
    }

    /**
     * Returns an application for each schedule that the policy adds, changes or removes.
     *
     * @param applied the newest application of each name
     */
    public static List<Fire> applications(
            Policy policy, long version, Map<String, Fire> applied, Instant now, Optional<String> node) {
        Map<String, String> definitions = new LinkedHashMap<>();
        applied.keySet().forEach(name -> definitions.put(name, REMOVED));
        policy.schedules().forEach(schedule -> definitions.put(schedule.name(), definition(schedule)));
        List<Fire> changes = new ArrayList<>();
        definitions.forEach((name, definition) -> {
            Optional<Fire> before = Optional.ofNullable(applied.get(name));
            if (!before.flatMap(Fire::message).equals(Optional.of(definition))) {
                Instant at = before.map(newest -> newest.at().plusMillis(1))
                        .filter(now::isBefore)
                        .orElse(now);
                changes.add(Fire.due(name, at, "applied/" + version, By.POLICY, node, Map.of())
                        .with(Outcome.APPLIED, definition));
            }
        });
        return changes;
    }

    /** Returns what makes a schedule another one, for which no earlier time was missed. */
    public static String definition(Schedule schedule) {
        return String.join(
                "\n",
                schedule.cron().orElse(""),
                schedule.zone().getId(),
                schedule.manifest(),
                Boolean.toString(schedule.enabled()));
    }
}
