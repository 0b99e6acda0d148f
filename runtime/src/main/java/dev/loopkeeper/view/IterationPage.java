package dev.loopkeeper.view;

import java.util.List;
import java.util.OptionalLong;

/**
 * A part of a run's iterations, {@code {"iterations": [...], "nextBefore": 405}}.
 *
 * @param iterations oldest first
 * @param nextBefore asked for with {@code before} it gives the iterations that these follow on; absent where there are none
 */
public record IterationPage(List<IterationRow> iterations, OptionalLong nextBefore) {}
