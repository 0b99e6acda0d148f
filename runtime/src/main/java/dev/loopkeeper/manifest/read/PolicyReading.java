package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.policy.Policy;
import java.util.List;

/** The result of reading a policy. */
public sealed interface PolicyReading {
    /**
     * A policy without problems.
     *
     * @param document as written; an empty object for an empty document
     */
    record Valid(Policy policy, JsonNode document) implements PolicyReading {}

    /**
     * A document that is no policy.
     *
     * @param problems in document order, at least one
     */
    record Invalid(List<ManifestProblem> problems) implements PolicyReading {
        /** Defensive copy. */
        public Invalid {
            problems = List.copyOf(problems);
        }
    }
}
