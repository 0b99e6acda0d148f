package dev.loopkeeper.view;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A page of a run's items, {@code {"items": [...], "counts": {"approved": 7, ...}, "nextSince": 1000}}.
 *
 * @param items in the order of the plan, including phases that have not begun
 * @param counts of all items by status
 * @param nextSince value of {@code since} for the next page; absent on the last page
 */
public record ItemPage(List<ItemRow> items, Map<String, Long> counts, OptionalInt nextSince) {}
