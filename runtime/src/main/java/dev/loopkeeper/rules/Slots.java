package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import java.util.Optional;

/** Which agent the manifest puts in a place. */
final class Slots {
    private Slots() {}

    static Optional<String> agentOf(RunState state, Slot slot) {
        return state.phase().map(phase -> agentOf(phase, slot));
    }

    private static String agentOf(PhaseSpec phase, Slot slot) {
        if (phase instanceof TaskPhase task) {
            return task.agent();
        }
        if (phase instanceof GatePhase gate) {
            return gate.agent();
        }
        if (phase instanceof EachPhase each) {
            return each.steps().get(slot.index());
        }
        return slot.kind() == SlotKind.CHECK
                ? StepSpecs.CHECK
                : ((LoopPhase) phase).steps().get(slot.index()).agent();
    }
}
