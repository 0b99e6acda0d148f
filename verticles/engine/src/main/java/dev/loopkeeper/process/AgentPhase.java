package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.step.StepSpec;
import java.time.Instant;
import java.util.Optional;

/** Phase of an agent, with exactly what is known in it. */
sealed interface AgentPhase {
    /** Returns the agent once it was seen, or its end names it. */
    Optional<Identity> agent();

    /** Returns when the agent started, or when its supervision began. */
    Instant startedAt();

    /**
     * The agent was not seen yet.
     *
     * @param request what to launch; absent once its launcher was started, or if it must not be launched
     * @param stopped whether it must not be launched while its state cannot be read
     */
    record Launching(Instant startedAt, Optional<StepSpec> request, boolean stopped) implements AgentPhase {
        @Override
        public Optional<Identity> agent() {
            return Optional.empty();
        }
    }

    /** The agent was seen alive. */
    record Running(Identity identity, Instant startedAt) implements AgentPhase {
        @Override
        public Optional<Identity> agent() {
            return Optional.of(identity);
        }
    }

    /**
     * No process of the step is left, but how the agent ended was not read yet.
     *
     * @param sinceNanos when that was verified
     */
    record Ending(Optional<Identity> agent, Instant startedAt, long sinceNanos) implements AgentPhase {}

    /** The agent has ended, or is no longer supervised. */
    record Over(Optional<Identity> agent, Instant startedAt) implements AgentPhase {}
}
