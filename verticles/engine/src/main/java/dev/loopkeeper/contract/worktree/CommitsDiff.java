package dev.loopkeeper.contract.worktree;

import dev.loopkeeper.view.Diff;
import java.util.List;
import java.util.Optional;

/**
 * Answer: the changes between two commits.
 *
 * @param from full hash
 * @param to full hash
 * @param text unified diff; invalid UTF-8 is U+FFFD; ends with a complete line
 * @param cut whether the text is incomplete
 * @param files by name, at most {@value #MOST_FILES}
 * @param total over all files
 */
public record CommitsDiff(String from, String to, String text, boolean cut, List<FileChange> files, Changes total) {
    /** Further files are counted but not listed. */
    public static final int MOST_FILES = 2_000;

    public CommitsDiff {
        files = List.copyOf(files);
    }

    /**
     * Returns the API's view of these changes.
     *
     * @param whole URL of the complete diff, if this one is cut and a server has it
     */
    public Diff view(String runId, Optional<String> whole) {
        List<Diff.File> shown = files.stream()
                .map(file -> new Diff.File(file.path(), file.insertions(), file.deletions(), file.binary()))
                .toList();
        return new Diff(runId, from, to, total.insertions(), total.deletions(), shown, cut, whole, text);
    }

    /**
     * A changed file.
     *
     * @param path as git prints it: a name with control characters or invalid UTF-8 is in double quotes, with escapes
     *     such as {@code \n} or {@code \377}
     * @param binary whether lines are not counted
     */
    public record FileChange(String path, long insertions, long deletions, boolean binary) {}
}
