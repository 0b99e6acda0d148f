package dev.loopkeeper.view;

import dev.loopkeeper.step.Usage;
import java.time.Instant;

/**
 * A step that runs now, e.g. {@code {"stepId": "build.3.dev.1", "agent": "dev", "startedAt": "...", "usage": {...}}}.
 *
 * @param usage reported so far; it is part of the run's usage already
 */
public record OpenStepView(String stepId, String agent, Instant startedAt, Usage usage) {}
