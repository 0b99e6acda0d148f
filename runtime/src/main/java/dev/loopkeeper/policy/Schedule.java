package dev.loopkeeper.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.WireName;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Begins a run at certain times or at a hook; it has a cron expression, a hook or both.
 *
 * @param cron five fields or a word such as {@code @daily}
 * @param zone whose clock the expression means
 * @param manifest absolute path, read at each fire
 * @param workspace absolute path; absent: that of the manifest
 * @param vars override those of the manifest
 * @param enabled whether cron and hook fire
 */
public record Schedule(
        String name,
        Optional<String> cron,
        ZoneId zone,
        String manifest,
        Optional<String> workspace,
        Map<String, String> vars,
        Overlap overlap,
        Missed missed,
        boolean enabled,
        Optional<Hook> hook) {
    /** What a fire does while the schedule's newest run has not ended. */
    public enum Overlap implements WireName {
        SKIP,
        QUEUE,
        REPLACE
    }

    /** What becomes of fires that were due while no server ran. */
    public enum Missed implements WireName {
        SKIP,
        ONCE
    }

    /**
     * A signed request that fires the schedule.
     *
     * @param secretEnv environment variable with the secret of the signature
     * @param match JSON pointers of the request's body and the values that they must have
     * @param vars names of variables and the JSON pointers of their values
     */
    public record Hook(String secretEnv, Map<String, String> match, Map<String, String> vars) {
        /** Returns the first pointer of {@link #match} that has another value in this body. */
        public Optional<String> mismatch(JsonNode body) {
            return match.entrySet().stream()
                    .filter(entry -> !value(body, entry.getKey()).equals(Optional.of(entry.getValue())))
                    .map(Map.Entry::getKey)
                    .findFirst();
        }

        /** Returns the variables that have a value in this body. */
        public Map<String, String> varsOf(JsonNode body) {
            Map<String, String> values = new LinkedHashMap<>();
            vars.forEach((name, pointer) -> value(body, pointer).ifPresent(value -> values.put(name, value)));
            return values;
        }

        private static Optional<String> value(JsonNode body, String pointer) {
            return Optional.of(body.at(pointer))
                    .filter(node -> node.isValueNode() && !node.isNull())
                    .map(JsonNode::asText);
        }
    }
}
