package dev.loopkeeper.view;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A part of a run's items, {@code {"items": [...], "counts": {"approved": 7, ...}, "nextSince": 1000}}.
 *
 * @param items in the order of the plan, also those of phases that have not begun
 * @param counts of all items by status
 * @param nextSince asked for with {@code since} it gives the items that follow on these; absent where there are none
 */
public record ItemPage(List<ItemRow> items, Map<String, Long> counts, OptionalInt nextSince) {}
