package dev.loopkeeper.view;

import java.util.List;
import java.util.Optional;

/**
 * A page of a run's steps, {@code {"steps": [...], "nextCursor": "after-812"}}.
 *
 * @param steps oldest first
 * @param nextCursor cursor of the following page in the same direction; absent at the end
 */
public record StepPage(List<Step> steps, Optional<String> nextCursor) {}
