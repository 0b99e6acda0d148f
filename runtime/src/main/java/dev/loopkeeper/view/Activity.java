package dev.loopkeeper.view;

import java.time.Instant;

/**
 * What a running step does now, e.g. {@code {"stepId": "build.3.dev.1", "text": "Bash: make test", "at": "..."}}.
 *
 * @param text the newest line of what it says, or of the tools that it calls
 * @param at when it was first seen
 */
public record Activity(String stepId, String text, Instant at) {}
