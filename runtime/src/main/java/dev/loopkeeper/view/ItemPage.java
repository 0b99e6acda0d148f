package dev.loopkeeper.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A page of a run's items, {@code {"items": [...], "counts": {"approved": 7, ...}, "nextCursor": "1000"}}.
 *
 * @param items in the order of the plan, including phases that have not begun
 * @param counts of all items by status
 * @param nextCursor cursor of the next page; absent on the last page
 */
public record ItemPage(List<ItemRow> items, Map<String, Long> counts, Optional<String> nextCursor) {}
