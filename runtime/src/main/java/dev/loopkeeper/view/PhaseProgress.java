package dev.loopkeeper.view;

/**
 * How far one phase of a run is, e.g. {@code {"name": "build", "kind": "loop", "status": "active"}}.
 *
 * @param kind {@code task}, {@code loop}, {@code each} or {@code gate}
 * @param status {@code pending}; {@code active} for the one that the run is in, also while it rests there; else how it was
 *     left: {@code passed}, {@code warned}, {@code failed}, {@code finished} or {@code waived}
 */
public record PhaseProgress(String name, String kind, String status) {}
