package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.view.Activity;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Holds the steps that were launched or concluded here and have not ended. Used from one context only. */
final class OpenedSteps {
    private final Map<String, OpenedStep> steps = new HashMap<>();

    /** Adds a step, replacing one with the same id. */
    void add(OpenedStep step) {
        steps.put(key(step.spec().runId(), step.spec().stepId()), step);
    }

    /** Returns the step; empty where it was not opened here or has ended. */
    Optional<OpenedStep> find(String runId, String stepId) {
        return Optional.ofNullable(steps.get(key(runId, stepId)));
    }

    /** Returns a copy of the current steps. */
    List<OpenedStep> all() {
        return List.copyOf(steps.values());
    }

    /** Notes who ends these steps of a run, for their receipts. */
    void stoppedBy(String runId, Predicate<StepSpec> which, String requester) {
        steps.values().stream()
                .filter(step -> step.spec().runId().equals(runId) && which.test(step.spec()))
                .forEach(step -> step.stoppedBy(requester));
    }

    /** Removes an ended step. */
    void remove(String runId, String stepId) {
        steps.remove(key(runId, stepId));
    }

    /** Removes all steps without waiting for their end. */
    void forgetAll() {
        steps.clear();
    }

    /** The agent's process, while it is known to run. */
    OptionalLong pid(String runId, String stepId) {
        return find(runId, stepId).map(OpenedStep::pid).orElse(OptionalLong.empty());
    }

    /** Returns the known activity and pids of these steps. */
    RunActivity runActivity(String runId, Collection<String> stepIds) {
        Map<String, Long> pids = new HashMap<>();
        stepIds.forEach(stepId -> pid(runId, stepId).ifPresent(pid -> pids.put(stepId, pid)));
        return new RunActivity(activity(runId, stepIds), pids);
    }

    /** Returns the most recent activity of these steps, if any is known. */
    Optional<Activity> activity(String runId, Collection<String> stepIds) {
        return stepIds.stream()
                .flatMap(stepId -> find(runId, stepId).stream())
                .flatMap(step -> step.activity().stream())
                .max(Comparator.comparing(Activity::at));
    }

    static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }
}
