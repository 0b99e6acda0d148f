package dev.loopkeeper.view;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A part of a run's steps, {@code {"steps": [...], "nextSince": 812, "nextBefore": 405, "nextCursor": "after-812"}}.
 *
 * @param steps oldest first
 * @param nextSince asked for with {@code since} it gives the steps that follow on these
 * @param nextBefore asked for with {@code before} it gives the steps that these follow on; absent where there are none
 * @param nextCursor asked for as {@code cursor} it gives those that come next in the direction of this page; absent at
 *     the end
 */
public record StepPage(List<Step> steps, long nextSince, OptionalLong nextBefore, Optional<String> nextCursor) {}
