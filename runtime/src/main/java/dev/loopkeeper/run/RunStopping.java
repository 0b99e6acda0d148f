package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code run.stopping}: the execution ends when its open steps have ended.
 *
 * @param graceful whether open steps may complete and count; otherwise they are ended
 * @param now whether the grace is skipped
 * @param sweeping whether only processes of ended steps remain to be ended
 */
@JsonTypeName("run.stopping")
public record RunStopping(EndReason cause, boolean graceful, boolean now, boolean sweeping) implements RunEvent {
    /** Ends processes of steps that already ended. */
    public static RunStopping sweeping(EndReason cause, boolean now) {
        return new RunStopping(cause, false, now, true);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (state.condition() instanceof Condition.Stopping before) {
            return state.withCondition(new Condition.Stopping(
                    before.causes().contains(cause) ? before.causes() : Copies.plus(before.causes(), cause),
                    before.graceful() && graceful,
                    before.now() || now,
                    before.since(),
                    sweeping));
        }
        Condition stopping = new Condition.Stopping(List.of(cause), graceful, now, at, sweeping);
        return state.withCondition(stopping).withPauses(due(state));
    }

    @Override
    public String text() {
        return "stopping" + (graceful ? " when the open steps are done" : "") + ": " + cause.summary();
    }

    /** A pause over surviving processes stays pending until they are gone. */
    private static List<Pause> due(RunState state) {
        List<Pause> due = new ArrayList<>(state.pauses());
        state.condition()
                .held()
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .ifPresent(pause -> due.add(0, pause));
        return List.copyOf(due);
    }
}
