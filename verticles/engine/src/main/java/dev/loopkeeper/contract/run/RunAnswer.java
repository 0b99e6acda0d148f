package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.view.Run;
import java.util.Optional;

/**
 * Answer: a document about a run, or a refusal; exactly one is present.
 *
 * @param document the run object or another requested document (steps, checkpoint, explanation, dry run)
 * @param created whether a {@link StartRun} created a run (false: its idempotency key was known)
 */
public record RunAnswer(Optional<JsonNode> document, Optional<Refusal> refusal, boolean created) {
    /** An answer with this document. */
    public static RunAnswer of(JsonNode document) {
        return new RunAnswer(Optional.of(document), Optional.empty(), false);
    }

    /** An answer with this record as document. */
    public static RunAnswer of(Record view) {
        return of(ViewJson.write(view));
    }

    /** An answer with a new run. */
    public static RunAnswer created(JsonNode run) {
        return new RunAnswer(Optional.of(run), Optional.empty(), true);
    }

    /** A refusal with its reason. */
    public static RunAnswer refused(Refusal refusal) {
        return new RunAnswer(Optional.empty(), Optional.of(refusal), false);
    }

    /** Returns the run; empty for a refusal, and if the run's record is damaged. */
    public Optional<Run> run() {
        return document.flatMap(ViewJson::intact);
    }

    /**
     * Returns the document as a record, e.g. {@link dev.loopkeeper.view.Run}. Fails with
     * {@link dev.loopkeeper.checkpoint.CheckpointException} if it is of another kind, or a refusal.
     */
    public <V extends Record> V as(Class<V> kind) {
        return ViewJson.read(document.orElseThrow(() -> new CheckpointException("refused: " + refusal)), kind);
    }
}
