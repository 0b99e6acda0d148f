package dev.loopkeeper.view;

import java.util.Optional;

/**
 * The position where a paused or ended run would resume, e.g. {@code {"phase": "build", "iteration": 4, "item": null}}.
 *
 * @param phase absent when all are complete
 * @param iteration from 1, counted within the run; only in loops
 * @param item only in phases of items
 */
public record ResumePoint(Optional<String> phase, Optional<Integer> iteration, Optional<String> item) {}
