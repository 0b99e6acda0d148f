package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Activity;
import java.util.Map;
import java.util.Optional;

/**
 * Answer: the present activity of a run.
 *
 * @param activity of its newest step; empty if this process knows none
 * @param pids of running agents, by step id
 */
public record Doing(Optional<Activity> activity, Map<String, Long> pids) {
    /** The process does not execute the run. */
    public static final Doing NOTHING = new Doing(Optional.empty(), Map.of());

    /** Treats missing fields as unknown. */
    public Doing {
        activity = activity == null ? Optional.empty() : activity;
        pids = pids == null ? Map.of() : Map.copyOf(pids);
    }
}
