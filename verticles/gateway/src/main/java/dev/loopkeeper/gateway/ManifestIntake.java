package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.Future;

/** Port: turns what a client sent as a manifest into one that can be started. */
@FunctionalInterface
public interface ManifestIntake {
    /**
     * Checks and resolves a manifest. Bad manifests are a {@link Submission.Refused}, not a failed future.
     *
     * @param manifest an object, or a text node with YAML or JSON
     * @param options what is laid over it
     */
    Future<Submission> read(JsonNode manifest, SubmitOptions options);
}
