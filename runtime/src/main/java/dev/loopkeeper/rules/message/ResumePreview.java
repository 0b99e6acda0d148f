package dev.loopkeeper.rules.message;

import java.util.List;

/**
 * Previews a resume without executing it.
 *
 * @param allowed whether it would be accepted
 * @param missing missing requirements, even if {@code force} overrides them
 * @param kept what is kept, for people
 * @param redone what is redone, for people
 * @param changes differences of a changed manifest, for people
 * @param why the explanation
 * @param next what happens at once, e.g. {@code launches dev, iteration 6 of 20; $2.74 left}; empty when nothing does
 */
public record ResumePreview(
        boolean allowed,
        List<String> missing,
        List<String> kept,
        List<String> redone,
        List<String> changes,
        String why,
        String next) {}
