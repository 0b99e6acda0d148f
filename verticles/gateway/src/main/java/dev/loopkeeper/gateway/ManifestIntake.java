package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.Future;

/** Port: turns a client's manifest into one that can be started. */
@FunctionalInterface
public interface ManifestIntake {
    /**
     * Validates and resolves a manifest. An invalid one is a {@link Submission.Refused}, not a failed future.
     *
     * @param manifest an object, or a text node with YAML or JSON
     * @param options overrides of the manifest
     */
    Future<Submission> read(JsonNode manifest, SubmitOptions options);
}
