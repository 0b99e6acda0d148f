package dev.loopkeeper.rules;

import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import java.util.Optional;

/** Finds the agent for a position: the one that the manifest names, or the one that took over after rejections. */
final class StepAgents {
    private StepAgents() {}

    static Optional<String> agentOf(RunState state, StepPosition position) {
        return declared(state, position)
                .map(agent -> holder(state, position, agent).orElse(agent));
    }

    /** The agent that the manifest names at a position where another one took over. */
    static Optional<String> escalatedFrom(RunState state, StepPosition position) {
        return declared(state, position)
                .filter(agent -> holder(state, position, agent).isPresent());
    }

    private static Optional<String> holder(RunState state, StepPosition position, String agent) {
        return position.kind() == StepKind.CONSULTATION
                ? Optional.empty()
                : state.tries(position.phase(), position.item()).holder(agent, state.manifest());
    }

    private static Optional<String> declared(RunState state, StepPosition position) {
        return switch (position.kind()) {
            case CHECK -> Optional.of(StepSpecs.CHECK);
            case CONSULTATION -> state.consultation().map(RunState.Consultation::agent);
            default -> state.phase().map(phase -> phase.agents().get(position.index()));
        };
    }
}
