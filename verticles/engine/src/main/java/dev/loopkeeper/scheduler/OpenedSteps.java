package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.run.Doing;
import dev.loopkeeper.view.Activity;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The steps that were launched, or concluded, here and are not over, and what they do. Used from one context only. */
final class OpenedSteps {
    private final Map<String, OpenedStep> steps = new HashMap<>();

    /** In place of one of this id that was there. */
    void add(OpenedStep step) {
        steps.put(key(step.spec().runId(), step.spec().stepId()), step);
    }

    /** The step; empty where it was not opened here, or is over. */
    Optional<OpenedStep> find(String runId, String stepId) {
        return Optional.ofNullable(steps.get(key(runId, stepId)));
    }

    /** Those of now. */
    List<OpenedStep> all() {
        return List.copyOf(steps.values());
    }

    /** The step is over. */
    void remove(String runId, String stepId) {
        steps.remove(key(runId, stepId));
    }

    /** None of them is looked after any more. */
    void forgetAll() {
        steps.clear();
    }

    /** The agent's process, while it is known to run. */
    OptionalLong pid(String runId, String stepId) {
        return find(runId, stepId).map(OpenedStep::pid).orElse(OptionalLong.empty());
    }

    /** What these steps do, as far as it is known. */
    Doing doing(String runId, Collection<String> stepIds) {
        Map<String, Long> pids = new HashMap<>();
        stepIds.forEach(stepId -> pid(runId, stepId).ifPresent(pid -> pids.put(stepId, pid)));
        return new Doing(activity(runId, stepIds), pids);
    }

    /** What the newest of these steps does now, if any of them is known to do anything. */
    Optional<Activity> activity(String runId, Collection<String> stepIds) {
        return stepIds.stream()
                .flatMap(stepId -> find(runId, stepId).stream())
                .flatMap(step -> step.activity().stream())
                .max(Comparator.comparing(Activity::at));
    }

    private static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }
}
