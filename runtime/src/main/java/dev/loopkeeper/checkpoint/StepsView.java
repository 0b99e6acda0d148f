package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/** The steps of a run as the API lists them, gathered from its events in order. */
public final class StepsView {
    private final String runId;
    private final Map<String, ObjectNode> steps = new LinkedHashMap<>();

    /** Gathers for this run. */
    public StepsView(String runId) {
        this.runId = runId;
    }

    /** Takes the next event; those that are not about a step's begin or end are passed over. */
    public void add(String type, JsonNode data, Instant at, int execution) {
        if (!type.equals("step.started") && !type.equals("step.finished")) {
            return;
        }
        RunEvent event = EventJson.read(type, data);
        if (event instanceof StepStarted started) {
            steps.put(started.stepId(), begun(started, at, execution));
        } else if (event instanceof StepFinished finished && steps.containsKey(finished.stepId())) {
            end(steps.get(finished.stepId()), finished, at);
        }
    }

    private ObjectNode begun(StepStarted started, Instant at, int execution) {
        ObjectNode step = Json.MAPPER.createObjectNode();
        step.put("stepId", started.stepId());
        step.put("runId", runId);
        step.put("execution", execution);
        step.put("phase", started.phase());
        step.set("iteration", Json.MAPPER.valueToTree(started.iteration()));
        step.set("item", Json.MAPPER.valueToTree(started.item()));
        step.put("agent", started.agent());
        step.put("attempt", started.attempt());
        step.put("status", "running");
        step.putNull("pid");
        step.put("startedAt", at.toString());
        step.putNull("endedAt");
        step.putNull("result");
        return step;
    }

    private static void end(ObjectNode step, StepFinished finished, Instant at) {
        step.put("status", finished.result().status().wire());
        step.set("pid", Json.MAPPER.valueToTree(finished.pid()));
        step.put("endedAt", at.toString());
        step.set("result", Json.MAPPER.valueToTree(finished.result()));
    }

    /** {@code {"steps": [...]}}, oldest first; {@code pid} tells the process of a step that is open. */
    public ObjectNode json(Function<String, OptionalLong> pid) {
        ObjectNode list = Json.MAPPER.createObjectNode();
        list.putArray("steps").addAll(steps.values());
        steps.forEach((stepId, step) -> {
            OptionalLong agent = step.get("endedAt").isNull() ? pid.apply(stepId) : OptionalLong.empty();
            agent.ifPresent(process -> step.put("pid", process));
        });
        return list;
    }
}
