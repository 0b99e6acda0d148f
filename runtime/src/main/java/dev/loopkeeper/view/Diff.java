package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * The changes of a run or a step in its worktree.
 *
 * @param from full hash of the commit before
 * @param to full hash of the commit after; the same one without changes
 * @param insertions lines, over all files
 * @param deletions lines, over all files
 * @param files by name, at most 2000
 * @param text as text
 */
public record Diff(
        String runId,
        String from,
        String to,
        long insertions,
        long deletions,
        List<File> files,
        @JsonUnwrapped Text text) {
    /**
     * The changes as text.
     *
     * @param truncated whether {@code diff} is cut
     * @param whole URL of the complete text, e.g. {@code /api/v1/runs/x/diff?from=…&to=…&view=patch}; only when {@code
     * diff} is cut
     * @param diff unified
     */
    public record Text(boolean truncated, Optional<String> whole, String diff) {}

    /**
     * A changed file.
     *
     * @param path as git spells it
     * @param binary whether lines are not counted
     */
    public record File(String path, long insertions, long deletions, boolean binary) {}
}
