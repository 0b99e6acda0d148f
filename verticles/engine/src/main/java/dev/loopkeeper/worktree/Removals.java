package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.worktree.Registrations.Registered;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Removes worktrees, unless work would be lost with them. Blocking. */
record Removals(
        GitCalls calls,
        Commits commits,
        Folders folders,
        Checkouts checkouts,
        Uncommitted uncommitted,
        StaleLocks locks,
        Registrations registrations,
        OnlyCopies onlyCopies,
        UnreachedCommits unreached) {
    /** Folder in the folder of the run, for the worktrees of item attempts. */
    static final String ATTEMPTS = "worktrees";

    private static final int REFS_AT_ONCE = 200;
    private static final int MOST_REASONS = 5;

    @CanIgnoreReturnValue
    WorktreeFinished finish(FinishWorktree command) {
        WorktreeLocation location = command.location();
        Path folder = folders.of(location);
        if (Files.exists(location.repository().resolve(".git"))) {
            commits.tidied(
                    folders,
                    location,
                    Refs.branch(location.branch()),
                    Refs.base(location.runId(), location.branch()),
                    Refs.archived(location.runId(), location.branch()),
                    Refs.undone(location.runId(), location.folder()));
            if (!command.archive()) {
                attempts(location).forEach(left -> finish(new FinishWorktree(left, false, true)));
            }
        }
        if (!command.archive()) {
            Folders.deleteIfEmpty(folders.run(location.runId()).resolve(ATTEMPTS));
        }
        if (Checkout.find(folder).isPresent()) {
            List<String> reasons = reasonsToStay(checkouts.open(location), command);
            if (!reasons.isEmpty()) {
                return stays(line(reasons));
            }
        } else if (Folders.exists(folder) && Folders.exists(folders.ready(location))) {
            // The content of the folder is no longer known.
            return new WorktreeFinished(
                    Optional.of(folder + " is no worktree of " + location.repository()
                            + " any more; remove it yourself if you need nothing in it"),
                    command.archive() ? archive(location) : Optional.empty());
        }
        remove(location.repository(), folder, folders.removed(location), folders.ready(location));
        return new WorktreeFinished(Optional.empty(), command.archive() ? archive(location) : Optional.empty());
    }

    /**
     * Returns why the worktree must stay. Uncommitted changes of an attempt can be saved as a commit; other content
     * cannot.
     */
    private List<String> reasonsToStay(Checkout checkout, FinishWorktree command) {
        WorktreeLocation location = command.location();
        String base = Refs.base(location.runId(), location.branch());
        String head = checkouts.head(checkout, location, base);
        List<String> reasons = new ArrayList<>();
        onlyCopies.in(checkout, base).forEach(found -> reasons.add(found.reason()));
        if (!command.archive()) {
            reasons.addAll(addedBeside(location));
        }
        checkout.locked().ifPresent(reasons::add);
        Optional<String> left =
                uncommitted.save(checkout.folder(), head, "What was left, not committed", location.runId());
        if (left.isPresent() && command.archive()) {
            commits.update(
                    checkout.folder(), "update " + Refs.undone(location.runId(), location.folder()) + " " + left.get());
        } else if (left.isPresent()) {
            reasons.add("it has uncommitted changes");
        }
        if (command.keep()) {
            reasons.add("its manifest says keep: true");
        }
        if (reasons.isEmpty()) {
            unreached.keep(checkout, location.runId());
        }
        return reasons;
    }

    private static String line(List<String> reasons) {
        int more = reasons.size() - MOST_REASONS;
        String first = String.join("; ", reasons.subList(0, Math.min(MOST_REASONS, reasons.size())));
        return more > 0 ? first + "; and " + more + " more" : first;
    }

    /** Returns the worktrees that an agent added in the folder of the run. */
    private List<String> addedBeside(WorktreeLocation location) {
        Path run = folders.run(location.runId());
        return registrations.list(location.repository()).stream()
                .flatMap(registered -> registered.folder().stream())
                .filter(folder -> folder.startsWith(run) && !folder.startsWith(folders.of(location)))
                .filter(folder -> !folders.isOurs(location.runId(), folder))
                .map(folder -> folder + " is a worktree that was added to the repository")
                .toList();
    }

    /**
     * Returns the worktrees of item attempts that an earlier runtime did not remove. A branch of the run beside its own
     * indicates one.
     */
    private List<WorktreeLocation> attempts(WorktreeLocation run) {
        String bases = Refs.of(run.runId()) + "/base/";
        return refsBelow(run.repository(), bases).stream()
                .map(ref -> ref.substring(bases.length()))
                .filter(branch -> !branch.equals(run.branch()))
                .map(branch -> new WorktreeLocation(
                        run.runId(),
                        run.repository(),
                        ATTEMPTS + "/" + branch.substring(branch.lastIndexOf('/') + 1),
                        branch))
                .toList();
    }

    private static WorktreeFinished stays(String reason) {
        return new WorktreeFinished(Optional.of(reason), Optional.empty());
    }

    /** Removes a worktree. Its folder is renamed first, so that a partly deleted one never looks complete. */
    private void remove(Path repository, Path folder, Path removed, Path ready) {
        Checkout.find(folder).map(Checkout::notes).ifPresent(Folders::delete);
        if (Folders.exists(folder)) {
            Folders.delete(removed);
            Folders.move(folder, removed);
        }
        Folders.delete(ready);
        if (Files.exists(repository.resolve(".git"))) {
            registrations.remove(repository, commits.common(repository), folder);
        }
        Folders.delete(removed);
    }

    private Optional<String> archive(WorktreeLocation location) {
        Path repository = location.repository();
        String archived = Refs.archived(location.runId(), location.branch());
        String branch = Refs.branch(location.branch());
        String base = Refs.base(location.runId(), location.branch());
        if (!Files.exists(repository.resolve(".git"))) {
            return Optional.empty();
        }
        Optional<String> tip = commits.ref(repository, branch);
        boolean ours = commits.ref(repository, base).isPresent();
        if (tip.isPresent() && ours) {
            commits.update(repository, "update " + archived + " " + tip.get());
            commits.delete(
                    repository,
                    folders.deleting(location.runId()),
                    List.of("delete " + branch + " " + tip.get(), "delete " + base));
        } else if (ours) {
            commits.delete(repository, folders.deleting(location.runId()), List.of("delete " + base));
        }
        return commits.ref(repository, archived).map(commit -> archived);
    }

    PruneRun prune(PruneRun command) {
        Path repository = command.repository();
        if (!Files.exists(repository.resolve(".git"))) {
            return command;
        }
        Path common = commits.common(repository);
        Path run = folders.run(command.runId());
        Path mark = folders.deleting(command.runId());
        commits.endDeletion(repository, mark);
        locks.removeOfRefsBelow(common, List.of(run, repository, common), Refs.of(command.runId()) + "/");
        locks.removeOfRefsBelow(
                common, List.of(run, repository, common), Refs.branch(Refs.items(command.runId())) + "/");
        registrations.removeHalves(repository, common, run);
        for (Registered registered : registrations.list(repository)) {
            Path folder =
                    registered.folder().filter(path -> path.startsWith(run)).orElse(null);
            if (folder != null) {
                Folders.delete(folder);
                registrations.remove(repository, common, folder);
            }
        }
        List<String> refs = new ArrayList<>();
        for (String known : refsBelow(repository, Refs.of(command.runId()) + "/")) {
            Refs.itemOfBase(command.runId(), known)
                    .map(Refs::branch)
                    .filter(branch -> commits.ref(repository, branch).isPresent())
                    .ifPresent(branch -> refs.add("delete " + branch));
            refs.add("delete " + known);
        }
        for (int first = 0; first < refs.size(); first += REFS_AT_ONCE) {
            commits.delete(repository, mark, refs.subList(first, Math.min(refs.size(), first + REFS_AT_ONCE)));
        }
        Folders.deleteEmpty(common.resolve(Refs.of(command.runId())));
        return command;
    }

    private List<String> refsBelow(Path repository, String beginning) {
        return calls.good(GitCall.in(repository, "for-each-ref", "--format=%(refname)", beginning))
                .text()
                .lines()
                .toList();
    }
}
