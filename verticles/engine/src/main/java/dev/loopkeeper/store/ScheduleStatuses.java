package dev.loopkeeper.store;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import java.util.List;

/** Reads what the schedules of a policy did. */
public final class ScheduleStatuses {
    private final FireStore store;
    private final Policy policy;

    public ScheduleStatuses(FireStore store, Policy policy) {
        this.store = store;
        this.policy = policy;
    }

    /** Returns all schedules, in the order of the policy, each with its newest fire. */
    public Future<Schedules> all() {
        List<Future<ScheduleStatus>> all = policy.schedules().stream()
                .map(schedule -> of(schedule, 1).map(ScheduleStatus::brief))
                .toList();
        return Future.join(all)
                .map(read -> new Schedules(all.stream().map(Future::result).toList()));
    }

    /** Returns one schedule with its newest fires. */
    public Future<ScheduleStatus> of(Schedule schedule) {
        return of(schedule, ScheduleStatus.FIRES);
    }

    private Future<ScheduleStatus> of(Schedule schedule, int newest) {
        return store.fires(schedule.name(), newest)
                .compose(fires -> store.newestTried(schedule.name())
                        .map(tried -> ScheduleStatus.of(schedule, fires, tried, Instants.now())));
    }

    /** Says that the policy has no such schedule, and which name is near. */
    public static String unknown(Policy policy, String name) {
        List<String> known = policy.schedules().stream().map(Schedule::name).toList();
        return "the policy has no schedule " + name
                + NearestName.of(name, known)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse("; add one with loopkeeper apply");
    }
}
