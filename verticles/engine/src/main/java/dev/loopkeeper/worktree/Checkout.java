package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
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
 * A worktree that is there, and where git keeps what belongs to it.
 *
 * @param folder its top level
 * @param gitDir its own part of the repository, e.g. {@code /src/.git/worktrees/worktree3}
 * @param commonDir the repository itself, e.g. {@code /src/.git}
 */
record Checkout(Path folder, Path gitDir, Path commonDir) {
    private static final String POINTER = "gitdir: ";
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
    /** A file of ours beside git's own of this worktree; it goes with them. */
    private static final String MERGING = "loopkeeper-merging";
    /** Another one. */
    private static final String HOOKS = "loopkeeper-hooks";

    private static final int LONGEST_POINTER = 10_000;
    private static final List<String> STATES_OF_MERGES = List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD");
    private static final List<String> STATES_OF_SEQUENCES = List.of("rebase-merge", "rebase-apply", "sequencer");

    /** Empty unless the folder and the repository point to each other. */
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

    /** Fails where there is none. */
    static Checkout at(Path folder) {
        return find(folder)
                .orElseThrow(() -> new WorktreeException(
                        Problem.WORKTREE_GONE,
                        "there is no worktree at " + folder + "; somebody removed it or its repository"));
    }

    /**
     * The commit of this branch where that costs no process: the worktree is on it, and the ref is a file of its own,
     * which comes before all else that git knows of it. Any other way of keeping refs is an empty answer.
     */
    Optional<String> headAt(String branch) {
        return read(gitDir.resolve("HEAD"))
                .filter(("ref: refs/heads/" + branch)::equals)
                .flatMap(on -> read(commonDir.resolve("refs/heads").resolve(branch)))
                .filter(hash -> HASH.matcher(hash).matches());
    }

    /** Whether a merge or the like is under way, that of an agent. */
    boolean isMerging() {
        return Stream.concat(STATES_OF_MERGES.stream(), STATES_OF_SEQUENCES.stream())
                .anyMatch(state -> Files.exists(gitDir.resolve(state)));
    }

    /** That a person or an agent locked it by {@code git worktree lock}, so that git does not remove it. */
    Optional<String> locked() {
        return Files.exists(gitDir.resolve("locked"))
                ? Optional.of("it is locked"
                        + read(gitDir.resolve("locked"))
                                .filter(why -> !why.isBlank())
                                .map(why -> " (" + Commits.oneLine(why, 200) + ")")
                                .orElse("")
                        + "; git worktree unlock " + folder + " ends that")
                : Optional.empty();
    }

    /** Whether submodules were fetched here. */
    boolean hasSubmodules() {
        return Files.isDirectory(gitDir.resolve("modules"));
    }

    /** Ends what a reset leaves of sequences of commits that an agent began. */
    void endSequences() {
        STATES_OF_SEQUENCES.forEach(state -> Folders.delete(gitDir.resolve(state)));
    }

    /** Says that the files of the worktree are about to become those of this commit. */
    void beginMerge(String commit) {
        try {
            AtomicFile.replaceDurably(gitDir.resolve(MERGING), commit);
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, gitDir + " cannot be written: " + refused);
        }
    }

    /** The commit of a merge that was begun and is not known to have ended. */
    Optional<String> merging() {
        return read(gitDir.resolve(MERGING));
    }

    void endMerge() {
        Folders.delete(gitDir.resolve(MERGING));
    }

    /** Says which hooks are about to run here; no need to outlive the machine, as they do not. */
    void beginHooks(String mark) {
        try {
            Files.writeString(gitDir.resolve(HOOKS), mark);
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, gitDir + " cannot be written: " + refused);
        }
    }

    /** Those that have begun and are not known to have ended. */
    Optional<String> hooks() {
        return read(gitDir.resolve(HOOKS)).filter(mark -> !mark.isEmpty());
    }

    void endHooks() {
        Folders.delete(gitDir.resolve(HOOKS));
    }

    /** Makes the name of the ref durable, whose content git has made so. */
    void syncRef(String branch) {
        Path folderOfRef = commonDir.resolve("refs/heads").resolve(branch).getParent();
        try {
            if (Files.isDirectory(folderOfRef)) {
                AtomicFile.syncFolder(folderOfRef);
            }
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, folderOfRef + " cannot be made durable: " + refused);
        }
    }

    /** Whether it is a file with a text: git's own, which are not synced, may be empty after a loss of power. */
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

    private static boolean isSame(Path one, Path other) {
        try {
            return one.equals(other) || Files.isSameFile(one, other);
        } catch (IOException absent) {
            return false;
        }
    }

    /** Empty for what is no small file of its own. */
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
