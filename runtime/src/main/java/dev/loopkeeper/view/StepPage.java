package dev.loopkeeper.view;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A page of a run's steps, {@code {"steps": [...], "nextSince": 812, "nextBefore": 405, "nextCursor": "after-812"}}.
 *
 * @param steps oldest first
 * @param nextSince value of {@code since} for the next page
 * @param nextBefore value of {@code before} for the previous page; absent on the first page
 * @param nextCursor cursor of the following page in the same direction; absent at the end
 */
public record StepPage(List<Step> steps, long nextSince, OptionalLong nextBefore, Optional<String> nextCursor) {}
