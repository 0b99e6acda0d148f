package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.manifest.read.SourceMap;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks what people and programs submit, on worker threads, since every check looks at files. */
public final class Submissions {
    private final WorkerExecutor workers;
    private final SubmissionCheck check;

    /** With the environment that agents will inherit, of which {@code PATH} is used. */
    public Submissions(WorkerExecutor workers, Map<String, String> environment) {
        this.workers = workers;
        this.check = new SubmissionCheck(environment);
    }

    /** A manifest file; fails only when the worker pool is closed, a bad manifest is an answer. */
    public Future<Submission> fromFile(Path manifestFile, SubmitOptions options) {
        return workers.executeBlocking(() -> file(manifestFile.toAbsolutePath().normalize(), options), false);
    }

    /**
     * A document, or a text node that holds one in YAML or JSON. Its relative paths are relative to the workspace,
     * which must be absolute, in the options or in the document.
     */
    public Future<Submission> fromDocument(JsonNode manifestOrText, SubmitOptions options) {
        return workers.executeBlocking(() -> document(manifestOrText, options), false);
    }

    private Submission file(Path file, SubmitOptions options) {
        return check(TextFile.readManifest(file), Optional.ofNullable(file.getParent()), options);
    }

    private Submission document(JsonNode manifestOrText, SubmitOptions options) {
        return manifestOrText.isTextual()
                ? check(ManifestText.parse(manifestOrText.textValue()), Optional.empty(), options)
                : check.check(
                        new DocumentReading.Parsed(manifestOrText.deepCopy(), SourceMap.unknown()),
                        Optional.empty(),
                        options);
    }

    private Submission check(DocumentReading reading, Optional<Path> folder, SubmitOptions options) {
        if (reading instanceof DocumentReading.Parsed parsed) {
            return check.check(parsed, folder, options);
        }
        return new Submission.Refused(List.of(((DocumentReading.Unreadable) reading).problem()));
    }
}
