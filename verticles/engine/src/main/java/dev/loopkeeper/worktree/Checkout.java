package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.data.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An existing worktree and its git directories.
 *
 * @param folder its top level
 * @param gitDir its own git directory, e.g. {@code /src/.git/worktrees/worktree3}
 * @param commonDir the git directory of the repository, e.g. {@code /src/.git}
 */
record Checkout(Path folder, Path gitDir, Path commonDir) {
    static final String POINTER = "gitdir: ";
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
    /** Our file in the worktree's git directory; git removes it together with that. */
    private static final String MERGING = "loopkeeper-merging";

    private static final int LONGEST_POINTER = 10_000;
    private static final List<String> STATES_OF_MERGES = List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD");
    private static final List<String> STATES_OF_SEQUENCES = List.of("rebase-merge", "rebase-apply", "sequencer");

    /** Finds the worktree; empty unless the folder and the repository point to each other. */
    static Optional<Checkout> find(Path folder) {
        return read(folder.resolve(".git"))
                .filter(text -> text.startsWith(POINTER))
                .flatMap(text -> resolved(folder, text.substring(POINTER.length())))
                .filter(gitDir -> read(gitDir.resolve("gitdir"))
                        .flatMap(back -> resolved(gitDir, back))
                        .filter(back -> isSame(back, folder.resolve(".git")))
                        .isPresent())
                .filter(gitDir -> isSomething(gitDir.resolve("HEAD")) && Files.exists(gitDir.resolve("index")))
                .flatMap(gitDir -> read(gitDir.resolve("commondir"))
                        .filter(text -> !text.isBlank())
                        .flatMap(text -> resolved(gitDir, text))
                        .map(common -> new Checkout(folder, gitDir, common.normalize())));
    }

    /** Returns the worktree; fails where there is none. */
    static Checkout at(Path folder) {
        return find(folder)
                .orElseThrow(() -> new WorktreeException(
                        Problem.WORKTREE_GONE,
                        "there is no worktree at " + folder + "; it or its repository was removed"));
    }

    /**
     * Returns the commit of this branch if it can be read without a process: the worktree is on the branch, and its ref
     * is a loose file, which takes precedence. Empty for any other ref storage.
     */
    Optional<String> headAt(String branch) {
        return read(gitDir.resolve("HEAD"))
                .filter(("ref: refs/heads/" + branch)::equals)
                .flatMap(on -> read(commonDir.resolve("refs/heads").resolve(branch)))
                .filter(hash -> HASH.matcher(hash).matches());
    }

    /** Whether a merge or similar operation, started by an agent, is in progress. */
    boolean isMerging() {
        return Stream.concat(STATES_OF_MERGES.stream(), STATES_OF_SEQUENCES.stream())
                .anyMatch(state -> Files.exists(gitDir.resolve(state)));
    }

    /** Returns the reason of a {@code git worktree lock}, which prevents the removal. */
    Optional<String> locked() {
        return Files.exists(gitDir.resolve("locked"))
                ? Optional.of("the worktree is locked"
                        + read(gitDir.resolve("locked"))
                                .filter(why -> !why.isBlank())
                                .map(why -> " (" + Commits.oneLine(why, 200) + ")")
                                .orElse("")
                        + "; git worktree unlock " + folder + " ends that")
                : Optional.empty();
    }

    /** Whether submodules were fetched into this worktree. */
    boolean hasSubmodules() {
        return Files.isDirectory(gitDir.resolve("modules"));
    }

    /** Removes the state of commit sequences, started by an agent, that a reset leaves. */
    void endSequences() {
        STATES_OF_SEQUENCES.forEach(state -> Folders.delete(gitDir.resolve(state)));
    }

    /** Returns the folder of our notes of what worktrees share. It is in no folder in which an agent in a sandbox can write. */
    Path notes() {
        return commonDir.resolve("loopkeeper-shared").resolve(gitDir.getFileName());
    }

    /** Records that the files of the worktree are about to change to those of this commit. */
    void beginMerge(String commit) {
        try {
            AtomicFile.replaceDurably(gitDir.resolve(MERGING), commit);
        } catch (IOException refused) {
            throw Folders.failure(gitDir, "written", refused);
        }
    }

    /** Returns the commit of an unfinished merge. */
    Optional<String> merging() {
        return read(gitDir.resolve(MERGING));
    }

    void endMerge() {
        Folders.delete(gitDir.resolve(MERGING));
    }

    /** Makes the directory entry of the ref durable; git has synced its content. */
    void syncRef(String branch) {
        Path folderOfRef = commonDir.resolve("refs/heads").resolve(branch).getParent();
        try {
            if (Files.isDirectory(folderOfRef)) {
                AtomicFile.syncFolder(folderOfRef);
            }
        } catch (IOException refused) {
            throw Folders.failure(folderOfRef, "made durable", refused);
        }
    }

    /** Whether the file has content; files that git does not sync may be empty after a power loss. */
    static boolean isSomething(Path file) {
        return read(file).filter(text -> !text.isBlank()).isPresent();
    }

    private static Optional<Path> resolved(Path folder, String text) {
        try {
            return Optional.of(folder.resolve(text).normalize());
        } catch (InvalidPathException unspeakable) {
            return Optional.empty();
        }
    }

    /** Whether both paths lead to the same file; false where that cannot be read. */
    static boolean isSame(Path one, Path other) {
        try {
            return one.equals(other) || Files.isSameFile(one, other);
        } catch (IOException absent) {
            return false;
        }
    }

    /** Reads a small regular file; empty for anything else. */
    static Optional<String> read(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST_POINTER) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8).stripTrailing());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
