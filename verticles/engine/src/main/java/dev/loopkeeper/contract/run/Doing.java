package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Activity;
import java.util.Optional;

/**
 * Answer: what a run does now.
 *
 * @param activity of its newest step; empty where this process knows of none
 */
public record Doing(Optional<Activity> activity) {
    /** What is not told is not known. */
    public Doing {
        activity = activity == null ? Optional.empty() : activity;
    }
}
