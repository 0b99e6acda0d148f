package dev.loopkeeper.view;

import java.util.List;
import java.util.OptionalLong;

/**
 * A page of a run's iterations, {@code {"iterations": [...], "nextBefore": 405}}.
 *
 * @param iterations oldest first
 * @param nextBefore value of {@code before} for the previous page; absent on the first page
 */
public record IterationPage(List<IterationRow> iterations, OptionalLong nextBefore) {}
