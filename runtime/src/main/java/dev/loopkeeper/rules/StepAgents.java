package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import java.util.Optional;

/** Finds the manifest's agent for a position. */
final class StepAgents {
    private StepAgents() {}

    static Optional<String> agentOf(RunState state, StepPosition slot) {
        return state.phase().map(phase -> agentOf(phase, slot));
    }

    private static String agentOf(PhaseSpec phase, StepPosition slot) {
        if (phase instanceof TaskPhase task) {
            return task.agent();
        }
        if (phase instanceof GatePhase gate) {
            return gate.agent();
        }
        if (phase instanceof EachPhase each) {
            return each.steps().get(slot.index());
        }
        return slot.kind() == StepKind.CHECK
                ? StepSpecs.CHECK
                : ((LoopPhase) phase).steps().get(slot.index()).agent();
    }
}
