package dev.loopkeeper.contract;

import dev.loopkeeper.view.Diff;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Event-bus channels of a person's checkout, {@code loopkeeper.worktrees.<command>}, each with its request and answer.
 * Each fails with {@link WorktreeException}. Only {@link #MERGE_RUN} changes the checkout. The handlers are in
 * {@code worktree}.
 */
public final class CheckoutChannels {
    public static final RequestChannel<CheckWorkspace, CheckedWorkspace> CHECK =
            new RequestChannel<>("loopkeeper.worktrees.check", CheckWorkspace.class, CheckedWorkspace.class);

    /**
     * Request, before a run starts: whether it can have a worktree of the workspace's repository. Fails without git or with
     * an old one, without a repository or a commit, or for an unknown base.
     *
     * @param workspace absolute; without {@code run} it may be missing, and its nearest existing parent is used
     * @param base any name of a commit, e.g. {@code HEAD} or {@code main}
     * @param run what the run would create; absent: only find the repository
     */
    public record CheckWorkspace(Path workspace, String base, Optional<NewRun> run) {
        /**
         * The branches and copies that a run would create.
         *
         * @param branches must not exist, nor collide with existing branches
         * @param copy paths relative to the workspace; each existing one must be ignored by git
         */
        public record NewRun(List<String> branches, List<String> copy) {
            public NewRun {
                branches = List.copyOf(branches);
                copy = List.copyOf(copy);
            }
        }

        /** A request that only finds the repository. */
        public CheckWorkspace(Path workspace, String base) {
            this(workspace, base, Optional.empty());
        }
    }

    /**
     * Answer: the run can have a worktree.
     *
     * @param repository top level of the checkout, links resolved
     * @param prefix path of the workspace in it, e.g. {@code services/api}; empty for the top level
     * @param base full hash of the commit
     * @param notes notes for people, one line each, e.g. that submodules stay empty in a worktree; usually none
     * @param absent paths that the run copies and the workspace does not have
     */
    public record CheckedWorkspace(
            Path repository, String prefix, String base, List<String> notes, List<String> absent) {
        public CheckedWorkspace {
            notes = List.copyOf(notes);
            absent = List.copyOf(absent);
        }
    }

    public static final RequestChannel<DiffCommits, CommitsDiff> DIFF =
            new RequestChannel<>("loopkeeper.worktrees.diff", DiffCommits.class, CommitsDiff.class);

    /**
     * Request: the changes between two commits.
     *
     * @param repository top level of a checkout
     * @param from any name of a commit
     * @param to any name of a commit
     * @param limitBytes limit of the text, up to 64 MiB; 0 returns the counts only
     */
    public record DiffCommits(Path repository, String from, String to, int limitBytes) {}

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
            Diff.Text shownText = new Diff.Text(cut, whole, text);
            return new Diff(runId, from, to, total.insertions(), total.deletions(), shown, shownText);
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

    public static final RequestChannel<ReadDiff, DiffPart> READ_DIFF =
            new RequestChannel<>("loopkeeper.worktrees.read-diff", ReadDiff.class, DiffPart.class);

    /**
     * Request: the next part of the changes between two commits, exactly as git prints them. Callers request one part after
     * the other, and report the last one; otherwise the reader ends a minute after the last request.
     *
     * @param repository top level of a checkout
     * @param from any name of a commit
     * @param to any name of a commit
     * @param reader unique name, the same for all parts
     * @param offset of the part: 0, then after the former part
     * @param over whether no more parts are needed; the answer is empty then
     */
    public record ReadDiff(Path repository, String from, String to, String reader, long offset, boolean over) {
        /** Returns the request for the part after this one. */
        public ReadDiff behind(DiffPart part) {
            return new ReadDiff(repository, from, to, reader, offset + part.bytes().length, false);
        }

        /** Returns the request that ends the reader. */
        public ReadDiff ended() {
            return new ReadDiff(repository, from, to, reader, offset, true);
        }
    }

    /**
     * Answer: a part of the changes between two commits.
     *
     * @param bytes at most {@value #MOST}; empty only at the end
     * @param last whether no part follows
     */
    @SuppressWarnings("ArrayRecordComponent") // parts are not compared
    public record DiffPart(byte[] bytes, boolean last) {
        /** Bytes of one answer. */
        public static final int MOST = 128 * 1024;
    }

    public static final RequestChannel<MergeRun, RunMerged> MERGE_RUN =
            new RequestChannel<>("loopkeeper.worktrees.merge-run", MergeRun.class, RunMerged.class);

    /**
     * Command of a person: merge a run's branch into one of the person's branches. If the checkout is on that branch it
     * must be clean except for untracked files, else nothing changes. Of another branch only the ref changes.
     *
     * @param checkout its top level
     * @param branch of the run, or full hash of a commit
     * @param squash whether to make one commit without the run's history
     * @param into the branch; empty for the present one of the checkout
     * @param hooks whether the repository's hooks run
     * @param dryRun whether to report the result without changing a branch or file
     */
    public record MergeRun(
            String runId,
            Path checkout,
            String branch,
            boolean squash,
            Optional<String> into,
            boolean hooks,
            boolean dryRun) {
        /** A merge that is made. */
        public MergeRun(
                String runId, Path checkout, String branch, boolean squash, Optional<String> into, boolean hooks) {
            this(runId, checkout, branch, squash, into, hooks, false);
        }
    }

    private CheckoutChannels() {}
}
