package dev.loopkeeper.contract.worktree;

import dev.loopkeeper.view.Diff;
import java.util.List;
import java.util.Optional;

/**
 * Answer: the changes.
 *
 * @param from full hash
 * @param to full hash
 * @param text unified; bytes that are no UTF-8 are U+FFFD; ends with a whole line
 * @param cut whether the text is not the whole
 * @param files by name, at most {@value #MOST_FILES} of them
 * @param total over all files
 */
public record CommitsDiff(String from, String to, String text, boolean cut, List<FileChange> files, Changes total) {
    /** More are counted and not listed. */
    public static final int MOST_FILES = 2_000;

    public CommitsDiff {
        files = List.copyOf(files);
    }

    /**
     * As whoever asked for the changes of this run sees them.
     *
     * @param whole where a server has all of it, if this is cut
     */
    public Diff view(String runId, Optional<String> whole) {
        List<Diff.File> shown = files.stream()
                .map(file -> new Diff.File(file.path(), file.insertions(), file.deletions(), file.binary()))
                .toList();
        return new Diff(runId, from, to, total.insertions(), total.deletions(), shown, cut, whole, text);
    }

    /**
     * One file that differs.
     *
     * @param path as git spells it: a name with control characters or bytes that are no UTF-8 is in double quotes, with
     *     those as {@code \n} or {@code \377}
     * @param binary whether lines are not counted
     */
    public record FileChange(String path, long insertions, long deletions, boolean binary) {}
}
