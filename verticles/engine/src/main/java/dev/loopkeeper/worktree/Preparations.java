package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.worktree.Registrations.Registered;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates worktrees and finds existing ones. Blocking. */
record Preparations(
        GitCalls calls,
        Commits commits,
        Folders folders,
        Checkouts checkouts,
        StaleLocks locks,
        Registrations registrations,
        CarriedFiles carried,
        SharedSettings settings) {
    private static final Logger LOG = LoggerFactory.getLogger(Preparations.class);

    PreparedWorktree prepare(PrepareWorktree command) {
        WorktreeLocation location = command.location();
        Path folder = folders.of(location);
        Path repository = location.repository();
        if (!Files.exists(repository.resolve(".git"))) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED, "there is no repository at " + repository + " any more; restore it");
        }
        Path common = commits.tidied(
                folders, location, Refs.branch(location.branch()), Refs.base(location.runId(), location.branch()));
        Optional<Checkout> there = Checkout.find(folder).filter(any -> Folders.exists(folders.ready(location)));
        if (there.isPresent()) {
            Checkout checkout = checkouts.open(location);
            return prepared(command, checkout, checkouts.head(checkout, location, command.head()), false);
        }
        registrations.removeHalves(repository, common, folder);
        String head = haveBranch(command);
        clear(location, folder, common);
        Folders.make(folder.getParent());
        String branch = Refs.branch(location.branch());
        // Given a full name git detaches HEAD, and given a short one it may take a tag.
        GitCall call =
                GitCall.in(repository, "worktree", "add", "--quiet", "-f", "-f", "--detach", folder.toString(), branch);
        GitAnswer made = calls.ask(call);
        if (!made.isGood()) {
            throw GitCalls.failure(call, made);
        }
        calls.good(GitCall.in(folder, "symbolic-ref", "HEAD", branch));
        Checkout checkout = Checkout.at(folder);
        carried.carry(command, folder);
        Folders.touch(folders.ready(location));
        return prepared(command, checkout, head, true);
    }

    private PreparedWorktree prepared(PrepareWorktree command, Checkout checkout, String head, boolean made) {
        settings.repair(checkout);
        if (command.begins()) {
            settings.note(checkout);
        }
        Path workspace = checkout.folder().resolve(command.prefix());
        Folders.make(workspace);
        return new PreparedWorktree(checkout.folder(), workspace, head, made);
    }

    /** Removes the remains of a crash; a worktree that was complete may hold work, and is moved aside. */
    private void clear(WorktreeLocation location, Path folder, Path common) {
        Folders.delete(folders.removed(location));
        if (!Folders.exists(folder)) {
            Folders.delete(folders.ready(location));
            return;
        }
        locks.awaitNoGit(List.of(folder, location.repository()));
        if (Folders.exists(folders.ready(location))) {
            Path lost = folders.lost(location);
            LOG.warn("{} is no longer a worktree of {}; its files are kept in {}", folder, common, lost);
            Folders.move(folder, lost);
            Folders.delete(folders.ready(location));
        } else {
            Folders.delete(folder);
        }
    }

    /** Creates the branch where it is missing and returns its commit. */
    private String haveBranch(PrepareWorktree command) {
        WorktreeLocation location = command.location();
        Path repository = location.repository();
        String branch = Refs.branch(location.branch());
        String base = Refs.base(location.runId(), location.branch());
        Optional<String> head = commits.ref(repository, branch);
        boolean ours = commits.ref(repository, base).isPresent();
        if (head.isPresent() && !ours) {
            throw taken(location);
        }
        Path folder = folders.of(location);
        for (Registered other : registrations.list(repository)) {
            if (other.branch().equals(branch)
                    && other.folder().filter(at -> Checkout.isSame(at, folder)).isEmpty()) {
                throw new WorktreeException(
                        Problem.BRANCH_TAKEN,
                        "the branch " + location.branch() + " is checked out in "
                                + other.folder().map(Path::toString).orElse("another worktree")
                                + "; check out another branch there");
            }
        }
        if (!ours) {
            commits.update(repository, "create " + base + " " + command.base());
        }
        if (head.isEmpty()) {
            if (ours) {
                LOG.warn("{} in {} was removed; it is created again at {}", branch, repository, command.head());
            }
            create(location, branch, base, command.head(), ours);
        }
        return head.orElse(command.head());
    }

    /**
     * Creates the branch. Another run, even of another server, may have created it in the meantime and then owns it.
     */
    private void create(WorktreeLocation location, String branch, String base, String head, boolean ours) {
        try {
            commits.update(location.repository(), "create " + branch + " " + head);
        } catch (WorktreeException refused) {
            if (ours || commits.ref(location.repository(), branch).isEmpty()) {
                throw refused;
            }
            commits.delete(location.repository(), folders.deleting(location.runId()), List.of("delete " + base));
            throw taken(location);
        }
    }

    private static WorktreeException taken(WorktreeLocation location) {
        return new WorktreeException(
                Problem.BRANCH_TAKEN,
                "there is a branch " + location.branch() + " in " + location.repository()
                        + " already, which this run did not create; choose another branch");
    }
}
