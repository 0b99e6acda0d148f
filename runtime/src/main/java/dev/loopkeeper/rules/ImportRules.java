package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import java.time.Instant;
import java.util.Optional;

/** What becomes of a run that comes from another data folder: nothing of it goes on by itself. */
public final class ImportRules {
    private ImportRules() {}

    /** Refuses a run that is under way. One that would go on at a certain time waits for a person instead. */
    public static Decision decide(RunState state, Instant at) {
        DecisionBuilder builder = new DecisionBuilder(state, at, Capacity.NONE);
        if (state.condition() instanceof Condition.Paused paused) {
            if (paused.pause().resumeAt().isPresent()) {
                builder.emit(Notice.of("imported", "imported from a bundle; it does not go on by itself"));
                builder.emit(builder.paused(paused.pause().until(Optional.empty())));
            }
            return builder.done();
        }
        if (state.condition() instanceof Condition.Ended) {
            return builder.done();
        }
        String why = "the run is " + state.status().wire() + "; only a paused or ended one can be taken over";
        return Decision.refused(state, new Refusal("not-importable", why));
    }
}
