package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.submit.Submission;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Port: turns what a client sent as a manifest into one that can be started. */
@FunctionalInterface
public interface ManifestIntake {
    /**
     * Checks and resolves a manifest. Bad manifests are a {@link Submission.Refused}, not a failed future.
     *
     * @param manifest an object, or a text node with YAML or JSON
     * @param workspace working directory of the agents, as the client wrote it
     * @param vars values for templates, laid over those of the manifest; may be empty
     */
    Future<Submission> read(JsonNode manifest, Optional<String> workspace, Map<String, String> vars);
}
