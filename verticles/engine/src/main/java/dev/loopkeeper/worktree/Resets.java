package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeReset;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets worktrees back to an earlier commit, and keeps what is undone. Blocking. */
record Resets(
        GitCalls calls,
        Commits commits,
        Folders folders,
        Checkouts checkouts,
        Uncommitted uncommitted,
        OnlyCopies onlyCopies) {
    private static final Logger LOG = LoggerFactory.getLogger(Resets.class);

    WorktreeReset reset(ResetWorktree command) {
        WorktreeLocation location = command.location();
        String ref = Refs.undone(location.runId(), command.keepAs());
        Checkout checkout = checkouts.open(location, ref);
        String head = checkouts.head(checkout, location, command.to());
        Optional<String> kept = commits.ref(checkout.folder(), ref);
        if (kept.isEmpty()) {
            kept = uncommitted
                    .save(checkout.folder(), head, "What was undone, not committed", location.runId())
                    .or(() -> head.equals(command.to()) ? Optional.empty() : Optional.of(head));
            kept.ifPresent(commit -> commits.update(checkout.folder(), "create " + ref + " " + commit));
        }
        if (checkout.hasSubmodules()) {
            NestedRepositories.eachSubmodule(
                    calls,
                    checkout,
                    checkout.folder(),
                    (inside, folder, commit) -> keep(inside, folder, ref, location.runId()));
        }
        Optional<Path> moved = onlyCopies.moveAside(checkout, kept.orElse(head), command.to(), folders.lost(location));
        calls.good(GitCall.in(checkout.folder(), "reset", "--quiet", "--hard", command.to(), "--"));
        checkout.endSequences();
        if (checkout.hasSubmodules()) {
            NestedRepositories.eachSubmodule(calls, checkout, checkout.folder(), Resets::setBack);
        }
        checkout.syncRef(location.branch());
        String tree = commits.tree(checkout.folder(), command.to());
        return new WorktreeReset(
                command.to(),
                tree,
                kept.map(commit -> ref + moved.map(path -> " and in " + path).orElse("")));
    }

    /** Keeps uncommitted changes in a submodule reachable in its own repository before a reset. */
    private static void keep(GitCalls inside, Path folder, String ref, String runId) {
        Commits commits = new Commits(inside, new StaleLocks(Duration.ZERO));
        commits.resolve(folder, "HEAD")
                .flatMap(head ->
                        new Uncommitted(inside, commits).save(folder, head, "What was undone, not committed", runId))
                .ifPresent(saved -> commits.update(folder, "update " + ref + " " + saved));
    }

    /** Resets a submodule that an agent fetched; otherwise the next commit would contain its undone commits. */
    private static void setBack(GitCalls inside, Path folder, String commit) {
        GitAnswer answer = inside.ask(GitCall.in(folder, "checkout", "--quiet", "--force", "--detach", commit, "--"));
        if (!answer.isGood()) {
            LOG.warn("the submodule {} could not be reset: {}", folder, answer.complaint());
        }
    }
}
