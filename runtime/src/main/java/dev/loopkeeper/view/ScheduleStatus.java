package dev.loopkeeper.view;

import dev.loopkeeper.policy.Cron;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.FireRules;
import dev.loopkeeper.policy.Schedule;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A schedule of the policy, and what it did.
 *
 * @param zone whose clock {@code cron} means, e.g. {@code Europe/Berlin}
 * @param nextAt when it fires next; absent without {@code cron}, and while it is not enabled
 * @param next the next five times
 * @param attention why its newest fire failed, until a later fire works
 * @param fires newest first; in a list the newest alone
 */
@RecordBuilder
public record ScheduleStatus(
        String name,
        Optional<String> cron,
        String zone,
        String manifest,
        Optional<String> workspace,
        Map<String, String> vars,
        Schedule.Overlap overlap,
        Schedule.Missed missed,
        boolean enabled,
        Optional<Schedule.Hook> hook,
        Optional<Instant> nextAt,
        List<Instant> next,
        Optional<String> attention,
        List<Fire> fires)
        implements ScheduleStatusBuilder.With {
    /** Number of fires that the status of one schedule has. */
    public static final int FIRES = 50;

    private static final int TIMES = 5;

    /** The schedules of a policy. */
    public record Schedules(List<ScheduleStatus> schedules) {}

    /**
     * Returns the status of a schedule of the policy.
     *
     * @param fires newest first
     * @param tried its newest fire that began a run or failed, which may be older than these
     */
    public static ScheduleStatus of(Schedule schedule, List<Fire> fires, Optional<Fire> tried, Instant now) {
        List<Instant> next = schedule.enabled()
                ? schedule.cron().map(Cron::of).stream()
                        .flatMap(cron -> Stream.iterate(
                                        cron.next(now, schedule.zone()),
                                        Optional::isPresent,
                                        time -> cron.next(time.get(), schedule.zone()))
                                .map(Optional::get)
                                .limit(TIMES))
                        .toList()
                : List.of();
        return new ScheduleStatus(
                schedule.name(),
                schedule.cron(),
                schedule.zone().getId(),
                schedule.manifest(),
                schedule.workspace(),
                schedule.vars(),
                schedule.overlap(),
                schedule.missed(),
                schedule.enabled(),
                schedule.hook(),
                next.stream().findFirst(),
                next,
                FireRules.attention(tried.stream().toList()),
                fires.stream()
                        .filter(fire -> fire.by() != Fire.By.POLICY)
                        .limit(FIRES)
                        .toList());
    }

    /** Returns what a list shows: the newest fire alone. */
    public ScheduleStatus brief() {
        return withFires(fires.stream().limit(1).toList());
    }
}
