package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.run.ManifestFile;
import java.util.List;
import java.util.Optional;

/** Finds the file from which a run was submitted, in the first event of the run. */
final class SubmittedFile {
    /** A page of the history. */
    private record Events(List<JsonNode> events) {}

    private SubmittedFile() {}

    /** Empty where the manifest was no file, and where the history cannot be read: nothing depends on it. */
    static Optional<ManifestFile> of(Api api, String runId) {
        try {
            return api.get(Api.run(runId) + "/events?limit=1", Events.class).view().events().stream()
                    .map(event -> event.path("data").path("file"))
                    .filter(file ->
                            file.path("path").isTextual() && file.path("sha256").isTextual())
                    .findFirst()
                    .map(file -> new ManifestFile(
                            file.path("path").textValue(), file.path("sha256").textValue()));
        } catch (CommandFailure unreadable) {
            return Optional.empty();
        }
    }
}
