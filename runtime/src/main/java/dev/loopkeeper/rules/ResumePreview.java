package dev.loopkeeper.rules;

import java.util.List;

/**
 * What a resume would do, without doing it.
 *
 * @param allowed whether it would be accepted
 * @param missing what it lacks, also where {@code force} overrides that
 * @param kept what stays as it is, in words
 * @param redone what is done again, in words
 * @param changes what differs in the manifest that replaces the run's, in words; empty where none does
 * @param why why so
 */
public record ResumePreview(
        boolean allowed,
        List<String> missing,
        List<String> kept,
        List<String> redone,
        List<String> changes,
        String why) {
    /** An older server names no changes. */
    public ResumePreview {
        changes = changes == null ? List.of() : changes;
    }
}
