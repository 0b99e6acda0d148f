package dev.loopkeeper.notify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.StoredEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a receiver is told.
 *
 * @param name the run's name
 * @param status the run's status after the event where the event says it, else {@code running}
 * @param summary one line for people
 */
record Message(StoredEvent event, String name, String status, String summary) {
    private static final String RUNNING = "running";
    private static final int LONGEST_VALUE = 8_000;
    private static final Map<String, String> STATUSES = Map.of(
            "run.created", "queued",
            "run.queued", "queued",
            "run.paused", "paused",
            "run.waiting", "waiting",
            "run.stopping", "stopping");

    /** Not for receivers: the mark of the run's processes, and what may hold the agents' secrets. */
    private static final List<String> PRIVATE = List.of("nonce", "manifest", "resolved");

    static Message of(StoredEvent event, String name) {
        Optional<RunEvent> read = read(event);
        String status = read.filter(RunEnded.class::isInstance)
                .map(ended -> ((RunEnded) ended).status().wire())
                .orElseGet(() -> STATUSES.getOrDefault(read.map(EventTypes::of).orElse(event.type()), RUNNING));
        return new Message(event, name, status, read.map(RunEvent::text).orElse(event.type()));
    }

    private static Optional<RunEvent> read(StoredEvent event) {
        try {
            return Optional.of(EventJson.read(event.type(), event.data()));
        } catch (CheckpointException written) {
            return Optional.empty();
        }
    }

    /** The envelope of the event with {@code name} and {@code summary}. */
    ObjectNode body() {
        ObjectNode body = Json.MAPPER.valueToTree(event);
        if (event.type().equals("run.created") && body.get("data") instanceof ObjectNode data) {
            body.set("data", data.deepCopy().remove(PRIVATE));
        }
        return body.put("name", name).put("summary", summary);
    }

    /** What the receiver knows it by, e.g. {@code fix-flaky-tests-20261120-151233-x7k2:41}. */
    String delivery() {
        return event.runId() + ":" + event.sequence();
    }

    /** The names that the words of a command may hold. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("runId", event.runId());
        values.put("status", status);
        values.put("summary", plain(summary));
        values.put("type", event.type());
        JsonNode pause = event.data().path("pause");
        JsonNode ending = event.data().path("termination");
        values.put(
                "reasonCode",
                plain(pause.path("reason").asText(ending.path("reasonCode").asText(""))));
        for (String field : List.of("message", "keyConcern", "anomalyType", "refusedValue")) {
            values.put(field, plain(pause.path(field).asText("")));
        }
        values.put("gaps", lines(pause.path("gaps")));
        values.put("questions", lines(pause.path("questions")));
        JsonNode error = pause.hasNonNull("errorContext") ? pause.get("errorContext") : ending.path("errorContext");
        values.put("error", plain(error.path("message").asText("")));
        values.put("advice", plain(ending.path("advice").asText("")));
        return values;
    }

    private static String lines(JsonNode texts) {
        List<String> lines = new ArrayList<>();
        texts.forEach(text -> lines.add(text.asText()));
        return plain(String.join("\n", lines));
    }

    /** As an argument and a variable of a process may be: the kernel refuses zeros, and very long ones. */
    private static String plain(String text) {
        String bounded = text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE - 1) + "…" : text;
        return bounded.replace("\0", "");
    }
}
