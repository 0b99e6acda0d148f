package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Pause;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code phase.finished}.
 *
 * @param message reason for the outcome, one sentence
 * @param next index of the following phase: the next one, or the one that a gate reruns
 */
@JsonTypeName("phase.finished")
public record PhaseFinished(String phase, PhaseOutcome outcome, String message, int next) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        Cursor cursor = state.cursor().leaving(phase, outcome);
        boolean again = next <= cursor.phaseIndex(); // a failed gate keeps its failure for the rerun
        Map<String, Integer> retries = again ? Copies.counted(cursor.gateRetries(), phase) : cursor.gateRetries();
        List<Pause> left = state.pauses().stream()
                .filter(pause -> !pause.position()
                        .filter(position -> position.phase().equals(phase))
                        .isPresent())
                .toList();
        EarlierTries tries = again ? cursor.tries(phase) : cursor.tries(phase).ended();
        return state.withCursor(cursor.inPhase(next, new Work.None())
                        .withGateRetries(retries)
                        .withTries(phase, tries))
                .withPauses(left)
                .changingGit(GitState::betweenPhases);
    }

    @Override
    public String text() {
        return "phase " + phase + " " + outcome.wire() + ": " + message;
    }
}
