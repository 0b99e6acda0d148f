package dev.loopkeeper.view;

/**
 * The progress of a phase, e.g. {@code {"name": "build", "kind": "loop", "status": "active"}}.
 *
 * @param kind {@code task}, {@code loop}, {@code each} or {@code gate}
 * @param status {@code pending}; {@code active} for the current phase, also while the run is paused; {@code stopped} or
 * {@code failed} for the phase in which the run ended; otherwise its outcome: {@code passed}, {@code warned}, {@code failed},
 * {@code finished} or {@code waived}
 */
public record PhaseProgress(String name, String kind, String status) {}
