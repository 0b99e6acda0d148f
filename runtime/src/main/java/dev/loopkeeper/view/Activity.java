package dev.loopkeeper.view;

import java.time.Instant;

/**
 * The current activity of a running step, e.g. {@code {"stepId": "build.3.dev.1", "text": "Bash: make test", "at":
 * "..."}}.
 *
 * @param text its newest message or tool call
 * @param at when it was first seen
 */
public record Activity(String stepId, String text, Instant at) {}
