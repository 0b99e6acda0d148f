package dev.loopkeeper.view;

import java.util.List;

/**
 * {@code {"steps": [...]}}.
 *
 * @param steps of one run, oldest first
 */
public record Steps(List<Step> steps) {}
