package dev.loopkeeper.contract;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.view.ScheduleStatus;
import java.util.Map;
import java.util.Optional;

/** Event-bus channels of schedules, each with its request and answer. The handlers are in {@code schedule}. */
public final class ScheduleChannels {
    /** Answered by {@link ScheduleStatus.Schedules}, for a name by its {@link ScheduleStatus}. */
    public static final RequestChannel<ListSchedules, RunAnswer> LIST =
            new RequestChannel<>("loopkeeper.schedules.list", ListSchedules.class, RunAnswer.class);

    /** Request: all schedules with their newest fire, or one with its newest fires. */
    public record ListSchedules(Optional<String> name) {}

    public static final RequestChannel<FireSchedule, RunAnswer> FIRE =
            new RequestChannel<>("loopkeeper.schedules.fire", FireSchedule.class, RunAnswer.class);

    /**
     * Command: fire a schedule now. Answered by its {@link Fire} with what became of it; refused with {@code not-found},
     * {@code idempotency-key-reused}, and with {@code not-enabled} for a hook.
     *
     * @param key a repeated key is answered with the same fire
     * @param vars override those of the schedule
     */
    public record FireSchedule(String name, Fire.By by, Optional<String> key, Map<String, String> vars) {}

    /** Event: this process recorded a fire that began no run. */
    public static final EventChannel<Fire> FAILED = new EventChannel<>("loopkeeper.schedules.failed");

    private ScheduleChannels() {}
}
