package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens worktrees of runs, with git able to work there and HEAD on their branch. Blocking. */
record Checkouts(GitCalls calls, Commits commits, Folders folders, StaleLocks locks, SharedSettings settings) {
    /**
     * Opens a worktree after removing the locks that a killed git left, and settings with which git fails there.
     *
     * @param refs refs that the command may write beside the branch
     */
    Checkout open(WorktreeLocation location, String... refs) {
        Checkout checkout = at(location);
        var unused = settings.setBackOwn(checkout);
        locks.remove(checkout, location.branch(), refs);
        return checkout;
    }

    /**
     * Returns the worktree, of this repository. An agent can write the pointer of its worktree: git would execute
     * programs that the settings of another repository name.
     */
    Checkout at(WorktreeLocation location) {
        Checkout checkout = Checkout.at(folders.of(location));
        if (!isOfRepository(checkout, location)) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED,
                    "the worktree " + checkout.folder() + " belongs to " + checkout.commonDir() + " and not to "
                            + location.repository());
        }
        if (leadsElsewhere(checkout, location)) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED,
                    "a symbolic link in " + checkout.gitDir() + " or at the log of " + location.branch()
                            + " would lead git to write elsewhere; remove the link");
        }
        return checkout;
    }

    /** Finds it; empty where the pointers do not agree, or name another repository. */
    Optional<Checkout> find(WorktreeLocation location) {
        return Checkout.find(folders.of(location))
                .filter(checkout -> isOfRepository(checkout, location) && !leadsElsewhere(checkout, location));
    }

    /** An agent can make links where git writes for the worktree. */
    private static boolean leadsElsewhere(Checkout checkout, WorktreeLocation location) {
        Path logs = checkout.commonDir().resolve("logs/refs");
        Path log = logs.resolve("heads").resolve(location.branch());
        while (!log.equals(logs) && !Files.isSymbolicLink(log)) {
            log = log.getParent();
        }
        return !log.equals(logs) || NestedRepositories.leadsElsewhere(checkout.gitDir());
    }

    private boolean isOfRepository(Checkout checkout, WorktreeLocation location) {
        Path common = commits.common(location.repository());
        return Checkout.isSame(common, checkout.commonDir())
                && Checkout.isSame(
                        common.resolve("worktrees"), checkout.gitDir().resolve(".."));
    }

    /**
     * Returns the commit of the branch. If the agent is on another branch, or on none, HEAD is set back to ours,
     * together with commits there that descend from ours; the files stay unchanged.
     *
     * @param otherwise commit for the branch if the agent removed it
     */
    String head(Checkout checkout, WorktreeLocation location, String otherwise) {
        Optional<String> known = checkout.headAt(location.branch());
        return known.isPresent() ? known.get() : attach(checkout, location, otherwise);
    }

    private String attach(Checkout checkout, WorktreeLocation location, String otherwise) {
        String ours = Refs.branch(location.branch());
        Optional<String> on = calls.line(GitCall.in(checkout.folder(), "symbolic-ref", "--quiet", "HEAD"));
        Optional<String> head = commits.resolve(checkout.folder(), "HEAD");
        if (on.filter(ours::equals).isPresent() && head.isPresent()) {
            return head.get();
        }
        Optional<String> tip = commits.ref(checkout.folder(), ours);
        String from = tip.orElse(otherwise);
        String target = head.filter(commit -> commits.isAncestor(checkout.folder(), from, commit))
                .orElse(from);
        if (!target.equals(tip.orElse(""))) {
            commits.update(
                    checkout.folder(),
                    "update " + ours + " " + target + tip.map(old -> " " + old).orElse(""));
        }
        calls.good(GitCall.in(checkout.folder(), "symbolic-ref", "HEAD", ours));
        return target;
    }
}
