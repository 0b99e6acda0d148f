package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.Manifest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code run.created}: the first event of every run; holds all that recovery needs. */
public record RunCreated(
        String runId, String name, String nonce, String workspace, String baseDir, boolean start, JsonNode manifest)
        implements RunEvent {

    /** The state that a run begins in. */
    public RunState begin(Manifest read, Instant at) {
        return new RunState(
                new RunState.Identity(runId, new Plan(manifest, read, workspace, baseDir), at, nonce),
                1,
                new Condition.Queued(start, Optional.empty()),
                List.of(),
                Limits.of(read),
                Cursor.START,
                RunState.Activity.NONE,
                Ledger.EMPTY);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state;
    }
}
