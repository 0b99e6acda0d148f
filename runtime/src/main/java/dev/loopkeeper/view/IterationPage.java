package dev.loopkeeper.view;

import java.util.List;
import java.util.Optional;

/**
 * A page of a run's iterations, {@code {"iterations": [...], "nextCursor": "405"}}.
 *
 * @param iterations oldest first
 * @param nextCursor cursor of the page with the iterations before these; absent on the first page
 */
public record IterationPage(List<IterationRow> iterations, Optional<String> nextCursor) {}
