package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.run.ManifestFile;
import dev.loopkeeper.view.Explanation;
import java.util.Optional;

/** Finds the file from which a run's manifest was read. */
final class SubmittedFile {
    private SubmittedFile() {}

    /**
     * Returns the file; empty if the manifest was no file or the run cannot be explained, as no command depends on it.
     */
    static Optional<ManifestFile> of(Api api, String runId) {
        try {
            JsonNode file = api.get(Api.run(runId) + "/explain", Explanation.class)
                    .json()
                    .path("manifestFile");
            return file.isObject() ? Optional.of(ViewJson.read(file, ManifestFile.class)) : Optional.empty();
        } catch (CommandFailure | CheckpointException unreadable) {
            return Optional.empty();
        }
    }
}
