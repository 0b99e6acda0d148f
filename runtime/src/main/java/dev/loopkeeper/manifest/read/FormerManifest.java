package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.Manifest;

/**
 * Reads the manifests of runs that were recorded before the resolved manifest was: only the document is known then. The
 * defaults of that time are written into it first, so that none of today fills a gap. A new key of a manifest adds
 * the value that was in force without it; nothing else here ever changes.
 */
public final class FormerManifest {
    private FormerManifest() {}

    /** The manifest as it was meant. The document was accepted once, so it is not checked again. */
    public static Manifest read(JsonNode document) {
        ObjectNode explicit = document.deepCopy();
        absent(explicit, "workspace", ".");
        JsonNode agents = explicit.path("agents");
        agents.forEach(agent -> agent(agent));
        explicit.path("phases").forEach(phase -> phase(phase, agents));
        part(explicit, "budget", "warnAt", 0.8);
        retry(object(explicit, "retry"));
        return ManifestReader.readLeniently(explicit);
    }

    private static void agent(JsonNode agent) {
        if (agent instanceof ObjectNode declared) {
            absent(declared, "output", "text");
            part(declared, "stop", "signal", "TERM");
            part(declared, "stop", "grace", "1500ms");
            absent(declared, "containment", "session");
            absent(declared, "onRuntimeDeath", "keep");
        }
    }

    private static void phase(JsonNode phase, JsonNode agents) {
        if (!(phase instanceof ObjectNode declared)) {
            return;
        }
        absent(declared, "critical", true);
        if (declared.hasNonNull("gate")) {
            absent(declared, "retries", 1);
        } else if (declared.path("loop") instanceof ObjectNode loop) {
            absent(loop, "maxIterations", 20);
            absent(loop, "until", signals(loop, agents) ? "signal" : "iterations");
            absent(loop, "onStalled", "continue");
            absent(loop, "pauseEvery", 0);
            absent(loop, "noProgress", loop.path("until").asText().equals("signal") ? 3 : 0);
        } else if (declared.path("each") instanceof ObjectNode each) {
            absent(each, "maxAttempts", 3);
            absent(each, "concurrency", 1);
        }
    }

    private static boolean signals(ObjectNode loop, JsonNode agents) {
        for (JsonNode step : loop.path("steps")) {
            String agent = step.isObject() ? step.path("agent").asText() : step.asText();
            if (agents.path(agent).hasNonNull("signal")) {
                return true;
            }
        }
        return false;
    }

    private static void retry(ObjectNode retry) {
        part(retry, "backoff", "initial", "1s");
        part(retry, "backoff", "factor", 2);
        part(retry, "backoff", "max", "5m");
        part(retry, "backoff", "jitter", 0.2);
        part(retry, "transient", "max", 8);
        part(retry, "transient", "wait", "auto");
        ObjectNode limits = object(retry, retry.hasNonNull("stop_conditions") ? "stop_conditions" : "stopConditions");
        limit(limits, "maxRetryRate", "max_retry_rate", 0.5);
        limit(limits, "maxRejectRate", "max_reject_rate", 0.3);
        limit(limits, "maxConsecutiveFails", "max_consecutive_fails", 3);
        limit(limits, "circuitBreaker", "circuit_breaker", 50);
        limit(limits, "minAttempted", "min_attempted", 3);
    }

    /** A threshold that is null is off, so that is no gap. */
    private static void limit(ObjectNode limits, String key, String other, Object value) {
        if (!limits.has(key) && !limits.has(other)) {
            absent(limits, key, value);
        }
    }

    private static void part(ObjectNode holder, String key, String part, Object value) {
        absent(object(holder, key), part, value);
    }

    private static ObjectNode object(ObjectNode holder, String key) {
        return holder.path(key) instanceof ObjectNode known ? known : holder.putObject(key);
    }

    private static void absent(ObjectNode holder, String key, Object value) {
        if (!holder.hasNonNull(key)) {
            holder.set(key, value(value));
        }
    }

    private static JsonNode value(Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value instanceof Integer number) {
            return nodes.numberNode(number);
        }
        if (value instanceof Double number) {
            return nodes.numberNode(number);
        }
        return value instanceof Boolean flag ? nodes.booleanNode(flag) : nodes.textNode((String) value);
    }
}
