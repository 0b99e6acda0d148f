package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies files that git ignores but agents need from the user's checkout to a new worktree. Never uses hard links: an
 * agent that changes a file in place would change the user's file. Blocking.
 */
final class CarriedFiles {
    private final GitCalls calls;
    private final GitCalls copies;

    /** @param mark environment of each call, see {@link OrphanedGit} */
    CarriedFiles(GitCalls calls, Map<String, String> mark, RunningGits running) {
        this.calls = calls;
        this.copies = new GitCalls(new GitProgram("cp"), mark, running);
    }

    void carry(PrepareWorktree command, Path worktree) {
        for (String each : command.copy()) {
            Path from = inside(command.location().repository().resolve(command.prefix()), each);
            if (Folders.exists(from)) {
                refuseUnlessIgnored(command.location().repository(), from, each);
                copy(from, worktree.resolve(command.prefix()).resolve(each).normalize());
            }
        }
    }

    /** Returns which of these paths, relative to the workspace, are absent; fails where one cannot be copied. */
    List<String> check(Path repository, String prefix, List<String> copy) {
        List<String> absent = new ArrayList<>();
        for (String each : copy) {
            Path from = inside(repository.resolve(prefix), each);
            if (Folders.exists(from)) {
                refuseUnlessIgnored(repository, from, each);
            } else {
                absent.add(each);
            }
        }
        return absent;
    }

    private static Path inside(Path workspace, String each) {
        Path path = workspace.resolve(each).normalize();
        boolean ofGit = Optional.ofNullable(path.getFileName())
                .filter(name -> ".git".equals(name.toString()))
                .isPresent();
        if (Path.of(each).isAbsolute() || !path.startsWith(workspace) || path.equals(workspace) || ofGit) {
            throw new WorktreeException(Problem.NOT_IGNORED, "\"" + each + "\" is not a path in the workspace");
        }
        return path;
    }

    private void refuseUnlessIgnored(Path repository, Path from, String each) {
        if (!calls.isYes(GitCall.in(repository, "check-ignore", "--quiet", "--", from.toString()))) {
            throw new WorktreeException(
                    Problem.NOT_IGNORED,
                    "git does not ignore \"" + each + "\", so its copy would be committed; "
                            + "add it to .gitignore, or remove it from isolation.copy");
        }
    }

    private void copy(Path from, Path to) {
        Folders.make(to.getParent());
        Folders.delete(to);
        GitCall call = GitCall.in(from.getParent(), "-a", "--reflink=auto", "--", from.toString(), to.toString());
        GitAnswer answer = copies.ask(call);
        if (!answer.isGood()) {
            throw new WorktreeException(
                    Problem.DISK, "\"" + from + "\" cannot be copied to the worktree: " + answer.complaint());
        }
    }
}
