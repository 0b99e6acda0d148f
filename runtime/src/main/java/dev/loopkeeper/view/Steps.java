package dev.loopkeeper.view;

import java.util.List;

/**
 * The steps of a run, {@code {"steps": [...]}}.
 *
 * @param steps oldest first
 */
public record Steps(List<Step> steps) {}
