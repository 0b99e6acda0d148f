package dev.loopkeeper.view;

import dev.loopkeeper.run.progress.ItemStatus;

/**
 * A work item of an {@code each} phase, e.g. {@code {"id": "f1", "phase": "frames", "status": "approved", "attempts":
 * 2}}.
 *
 * @param attempts begun so far, from 0
 */
public record Item(String id, String phase, ItemStatus status, int attempts) {}
