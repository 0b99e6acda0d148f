package dev.loopkeeper.view;

import java.util.List;
import java.util.OptionalLong;

/**
 * A part of a run's steps, {@code {"steps": [...], "nextSince": 812, "nextBefore": 405}}.
 *
 * @param steps oldest first
 * @param nextSince asked for with {@code since} it gives the steps that follow on these
 * @param nextBefore asked for with {@code before} it gives the steps that these follow on; absent where there are none
 */
public record StepPage(List<Step> steps, long nextSince, OptionalLong nextBefore) {}
