package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepBuilder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/** Builds the API's view of a run's steps from its events in order. */
public final class StepsView {
    private final String runId;
    private final Map<String, Step> steps = new LinkedHashMap<>();

    /**
     * @param runId the run of the steps
     */
    public StepsView(String runId) {
        this.runId = runId;
    }

    /** Adds the next event; ignores events other than a step's start or end. */
    public void add(String type, JsonNode data, Instant at, int execution) {
        if (!type.equals("step.started") && !type.equals("step.finished")) {
            return;
        }
        RunEvent event = EventJson.read(type, data);
        if (event instanceof StepStarted started) {
            steps.put(started.stepId(), begun(started, at, execution));
        } else if (event instanceof StepFinished finished) {
            steps.computeIfPresent(finished.stepId(), (id, step) -> step.ended(finished, at));
        }
    }

    private Step begun(StepStarted started, Instant at, int execution) {
        return StepBuilder.builder()
                .stepId(started.stepId())
                .runId(runId)
                .execution(execution)
                .phase(started.phase())
                .iteration(started.iteration())
                .item(started.item())
                .agent(started.agent())
                .escalatedFrom(started.escalatedFrom())
                .attempt(started.attempt())
                .status(Step.Status.RUNNING)
                .startedAt(at)
                .build();
    }

    /** The steps so far; {@code pid} finds the process of an open step. */
    public List<Step> steps(Function<String, OptionalLong> pid) {
        return steps.values().stream()
                .map(step -> step.endedAt().isPresent() ? step : step.withPid(pid.apply(step.stepId())))
                .toList();
    }
}
