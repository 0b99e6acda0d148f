package dev.loopkeeper.rules;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import java.util.Optional;

/** Finds the agent for a position: the one that the manifest names, or the one that took over after rejections. */
final class StepAgents {
    private StepAgents() {}

    static Optional<String> agentOf(RunState state, StepPosition slot) {
        return declared(state, slot).map(agent -> holder(state, slot, agent).orElse(agent));
    }

    /** The agent that the manifest names at a position where another one took over. */
    static Optional<String> escalatedFrom(RunState state, StepPosition slot) {
        return declared(state, slot).filter(agent -> holder(state, slot, agent).isPresent());
    }

    private static Optional<String> holder(RunState state, StepPosition slot, String agent) {
        return slot.kind() == StepKind.CONSULTATION
                ? Optional.empty()
                : state.tries(slot.phase(), slot.item()).holder(agent, state.manifest());
    }

    private static Optional<String> declared(RunState state, StepPosition slot) {
        return switch (slot.kind()) {
            case CHECK -> Optional.of(StepSpecs.CHECK);
            case CONSULTATION -> state.consultation().map(RunState.Consultation::agent);
            default -> state.phase().map(phase -> phase.agents().get(slot.index()));
        };
    }
}
