package dev.loopkeeper.view;

import dev.loopkeeper.step.Usage;
import java.time.Instant;

/**
 * A running step, e.g. {@code {"stepId": "build.3.dev.1", "agent": "dev", "startedAt": "...", "usage": {...}}}.
 *
 * @param usage reported so far; the run's usage includes it
 */
public record OpenStepView(String stepId, String agent, Instant startedAt, Usage usage) {}
