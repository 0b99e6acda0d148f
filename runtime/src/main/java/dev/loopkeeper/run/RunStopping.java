package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.PauseReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code run.stopping}: the execution ends once what runs is gone.
 *
 * @param graceful what runs is completed and counted; else it is ended
 * @param now whether the grace is skipped
 * @param sweeping what runs are survivors of steps that are over
 */
@JsonTypeName("run.stopping")
public record RunStopping(EndReason cause, boolean graceful, boolean now, boolean sweeping) implements RunEvent {
    /** To end what survived steps that are over. */
    public static RunStopping sweeping(EndReason cause, boolean now) {
        return new RunStopping(cause, false, now, true);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (state.condition() instanceof Condition.Stopping before) {
            return state.with(new Condition.Stopping(
                    before.causes().contains(cause) ? before.causes() : Copies.plus(before.causes(), cause),
                    before.graceful() && graceful,
                    before.now() || now,
                    before.since(),
                    sweeping));
        }
        Condition stopping = new Condition.Stopping(List.of(cause), graceful, now, at, sweeping);
        return state.with(stopping).withPauses(due(state));
    }

    @Override
    public String text() {
        return "stopping" + (graceful ? " when what runs is done" : "") + ": " + cause.summary();
    }

    /** A pause that holds for survivors stays due until they are gone. */
    private static List<Pause> due(RunState state) {
        List<Pause> due = new ArrayList<>(state.pauses());
        state.condition()
                .held()
                .filter(pause -> pause.reason() == PauseReason.SURVIVORS)
                .ifPresent(pause -> due.add(0, pause));
        return List.copyOf(due);
    }
}
