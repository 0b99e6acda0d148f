package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.rules.LaunchContexts;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.LaunchContext;
import java.util.List;
import java.util.Optional;

/** Folds the events of one run, and derives the context of each launch. */
public final class ContextFold {
    private static final String STARTED = "step.started";

    private RunState state;

    /**
     * The next event. Returns the context of the step that it begins; empty for every other event. Fails with
     * {@link CheckpointException} where the event cannot follow the ones before it.
     */
    public Optional<LaunchContext> add(StoredEvent event) {
        try {
            return fold(event);
        } catch (CheckpointException unreadable) {
            throw unreadable;
        } catch (RuntimeException unreadable) {
            throw new CheckpointException("event " + event.sequence() + " of run " + event.runId()
                    + " does not follow the events before it: " + unreadable);
        }
    }

    private Optional<LaunchContext> fold(StoredEvent event) {
        state = StoredRun.after(state, List.of(event));
        if (!event.type().equals(STARTED)) {
            return Optional.empty();
        }
        return of(state, event.stepId());
    }

    /** Returns the context of a step that has just begun; empty if there is none. */
    static Optional<LaunchContext> of(RunState state, String stepId) {
        return Optional.ofNullable(state.steps().get(stepId)).map(begun -> LaunchContexts.of(state, begun));
    }
}
