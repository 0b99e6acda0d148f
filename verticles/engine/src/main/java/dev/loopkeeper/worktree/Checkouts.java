package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreePlace;
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
    Checkout open(WorktreePlace place, String... refs) {
        Checkout checkout = at(place);
        var unused = settings.setBackOwn(checkout);
        locks.remove(checkout, place.branch(), refs);
        return checkout;
    }

    /**
     * Returns the worktree, of this repository. An agent can write the pointer of its worktree: git would execute
     * programs that the settings of another repository name.
     */
    Checkout at(WorktreePlace place) {
        Checkout checkout = Checkout.at(folders.of(place));
        if (!isOfRepository(checkout, place)) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED,
                    "the worktree " + checkout.folder() + " belongs to " + checkout.commonDir() + " and not to "
                            + place.repository());
        }
        if (leadsElsewhere(checkout, place)) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED,
                    "a symbolic link in " + checkout.gitDir() + " or at the log of " + place.branch()
                            + " would lead git to write elsewhere; remove the link");
        }
        return checkout;
    }

    /** Finds it; empty where the pointers do not agree, or name another repository. */
    Optional<Checkout> find(WorktreePlace place) {
        return Checkout.find(folders.of(place))
                .filter(checkout -> isOfRepository(checkout, place) && !leadsElsewhere(checkout, place));
    }

    /** An agent can make links where git writes for the worktree. */
    private static boolean leadsElsewhere(Checkout checkout, WorktreePlace place) {
        Path logs = checkout.commonDir().resolve("logs/refs");
        Path log = logs.resolve("heads").resolve(place.branch());
        while (!log.equals(logs) && !Files.isSymbolicLink(log)) {
            log = log.getParent();
        }
        return !log.equals(logs) || NestedRepositories.leadsElsewhere(checkout.gitDir());
    }

    private boolean isOfRepository(Checkout checkout, WorktreePlace place) {
        Path common = commits.common(place.repository());
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
    String head(Checkout checkout, WorktreePlace place, String otherwise) {
        Optional<String> known = checkout.headAt(place.branch());
        return known.isPresent() ? known.get() : attach(checkout, place, otherwise);
    }

    private String attach(Checkout checkout, WorktreePlace place, String otherwise) {
        String ours = Refs.branch(place.branch());
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
