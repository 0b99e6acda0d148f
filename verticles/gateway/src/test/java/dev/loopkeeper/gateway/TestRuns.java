package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs, steps and events as they look like. */
public final class TestRuns {
    static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    private TestRuns() {}

    public static ObjectNode run(String runId, String status) {
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.put("runId", runId).put("name", "demo").put("status", status).put("execution", 1);
        run.put("sequence", 1).putObject("position").put("phase", "build");
        run.putNull("pause").putNull("waiting").putObject("usage").putNull("costUsd");
        run.putObject("statistics");
        for (String absent : List.of("stopReason", "termination", "terminalExhaustion", "resumeFrom", "endedAt")) {
            run.putNull(absent);
        }
        run.putArray("terminalExhaustionHistory");
        run.putArray("executions");
        run.putObject("limits")
                .putNull("costUsd")
                .putNull("tokens")
                .putNull("turns")
                .putNull("timeMs")
                .putNull("maxIterations");
        run.putArray("phases")
                .addObject()
                .put("name", "build")
                .put("kind", "task")
                .put("status", "active");
        run.putNull("last");
        run.put("resumable", true)
                .put("needsAttention", status.equals("paused"))
                .put("workspace", "/work");
        run.put("createdAt", NOW.toString()).put("startedAt", NOW.toString());
        run.put("activeMs", 0);
        return run;
    }

    static RunPage page(Optional<String> nextCursor, ObjectNode... runs) {
        return new RunPage(
                Stream.of(runs)
                        .map(run -> new RunRow(
                                run.path("runId").asText(),
                                run.path("name").asText(),
                                run.path("status").asText(),
                                NOW,
                                run))
                        .toList(),
                nextCursor);
    }

    public static ObjectNode paused(String runId, String reason, String... actions) {
        ObjectNode run = run(runId, "paused");
        ObjectNode pause = run.putObject("pause").put("reason", reason).put("message", "why");
        pause.putNull("detail").putNull("stepId").putNull("resumeAt").put("since", NOW.toString());
        pause.putNull("keyConcern")
                .putNull("anomalyType")
                .putNull("errorContext")
                .putNull("refusedValue");
        pause.putArray("questions");
        pause.putArray("gaps");
        var allowed = pause.putArray("allowedActions");
        List.of(actions).forEach(allowed::add);
        return run;
    }

    static ObjectNode steps(String runId, String stepId, Instant endedAt) {
        ObjectNode steps = Json.MAPPER.createObjectNode();
        ObjectNode step =
                steps.putArray("steps").addObject().put("stepId", stepId).put("runId", runId);
        step.put("execution", 1).put("phase", "build").put("agent", "dev").put("attempt", 1);
        step.put("iteration", 1).putNull("item").putNull("pid").putNull("result");
        step.putNull("verdict").putNull("concern");
        step.put("status", endedAt == null ? "running" : "completed").put("startedAt", NOW.toString());
        step.put("endedAt", endedAt == null ? null : endedAt.toString());
        return steps;
    }

    static RunRow row(ObjectNode run) {
        return new RunRow(run.path("runId").asText(), "demo", run.path("status").asText(), NOW, run);
    }

    public static StoredEvent event(String runId, long sequence, String type) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("note", "n" + sequence);
        return new StoredEvent(runId, sequence, NOW, type, 1, data);
    }

    /** One event and the run after it. */
    public static AppendEvents append(StoredEvent event, ObjectNode runAfter) {
        return new AppendEvents(
                event.runId(),
                event.sequence() - 1,
                1,
                List.of(event),
                row(runAfter),
                Optional.empty(),
                Optional.empty());
    }
}
