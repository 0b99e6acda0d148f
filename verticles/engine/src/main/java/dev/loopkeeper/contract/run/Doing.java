package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Activity;
import java.util.Map;
import java.util.Optional;

/**
 * Answer: what a run does now.
 *
 * @param activity of its newest step; empty where this process knows of none
 * @param pids of the agents that are known to run, by the ids of their steps
 */
public record Doing(Optional<Activity> activity, Map<String, Long> pids) {
    /** No process that is asked carries the run out. */
    public static final Doing NOTHING = new Doing(Optional.empty(), Map.of());

    /** What is not told is not known. */
    public Doing {
        activity = activity == null ? Optional.empty() : activity;
        pids = pids == null ? Map.of() : Map.copyOf(pids);
    }
}
