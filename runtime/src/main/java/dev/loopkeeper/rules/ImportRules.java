package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.termination.RefusalCode;
import java.time.Instant;
import java.util.Optional;

/** Prepares a run imported from another data folder: it does not resume automatically. */
public final class ImportRules {
    private ImportRules() {}

    /** Refuses an active run. A pause with an automatic resume becomes a pause for a person. */
    public static Decision decide(RunState state, Instant at) {
        DecisionBuilder builder = new DecisionBuilder(state, at, Capacity.NONE);
        if (state.condition() instanceof Condition.Paused paused) {
            if (paused.pause().resumeAt().isPresent()) {
                builder.emit(Notice.of("imported", "imported from a bundle; it does not resume automatically"));
                builder.emit(builder.paused(paused.pause().withResumeAt(Optional.empty())));
            }
            return builder.done();
        }
        if (state.condition() instanceof Condition.Ended) {
            return builder.done();
        }
        String why = "the run is " + state.status().wire() + "; only a paused or ended run can be imported";
        return Decision.refused(state, new Refusal(RefusalCode.NOT_IMPORTABLE, why));
    }
}
