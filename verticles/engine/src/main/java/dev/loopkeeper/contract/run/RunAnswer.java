package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.view.Run;
import java.util.Optional;

/**
 * Answer: a document about a run, or an expected refusal; exactly one is present.
 *
 * @param document the run object, or what else was asked for (steps, checkpoint, explanation, dry run)
 * @param created whether a {@link StartRun} made a new run (false: its idempotency key was known)
 */
public record RunAnswer(Optional<JsonNode> document, Optional<Refusal> refusal, boolean created) {
    /** The document that was asked for. */
    public static RunAnswer of(JsonNode document) {
        return new RunAnswer(Optional.of(document), Optional.empty(), false);
    }

    /** What was asked for. */
    public static RunAnswer of(Record view) {
        return of(ViewJson.write(view));
    }

    /** A run that is new. */
    public static RunAnswer created(JsonNode run) {
        return new RunAnswer(Optional.of(run), Optional.empty(), true);
    }

    /** A "no" with its reason. */
    public static RunAnswer refused(Refusal refusal) {
        return new RunAnswer(Optional.empty(), Optional.of(refusal), false);
    }

    /** The run that was asked for; empty for a refusal, and where the run's record is damaged. */
    public Optional<Run> run() {
        return document.flatMap(ViewJson::intact);
    }

    /**
     * The document as the record that it was asked for as, e.g. {@link dev.loopkeeper.view.Run}. Fails with
     * {@link dev.loopkeeper.checkpoint.CheckpointException} when it is none such, or a refusal.
     */
    public <V extends Record> V as(Class<V> kind) {
        return ViewJson.read(document.orElseThrow(() -> new CheckpointException("refused: " + refusal)), kind);
    }
}
