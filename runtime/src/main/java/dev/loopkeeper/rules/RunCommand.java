package dev.loopkeeper.rules;

import dev.loopkeeper.step.StepSpec;
import java.time.Instant;
import java.util.List;

/** Something to be done, once the events it came with are durable. Safe to repeat. */
public sealed interface RunCommand {
    /**
     * Launch a step.
     *
     * @param recovered whether an earlier runtime may have launched it already
     * @param lost whether it went with its node: it is not launched, only what it left in the workspace is read
     */
    record Launch(StepSpec step, boolean recovered, boolean lost) implements RunCommand {
        /** One that is launched here, or was. */
        public Launch(StepSpec step, boolean recovered) {
            this(step, recovered, false);
        }
    }

    /** End a step's processes; {@code now} skips the grace. */
    record StopStep(String stepId, boolean now) implements RunCommand {}

    /**
     * Try once more to end what these steps left alive, and send {@link RunInput.Swept}; {@code now} skips the grace.
     */
    record Sweep(List<String> stepIds, boolean now) implements RunCommand {}

    /** Send {@link RunInput.TimerDue} at this time; a new time replaces an earlier one. */
    record WakeAt(Instant due) implements RunCommand {}
}
