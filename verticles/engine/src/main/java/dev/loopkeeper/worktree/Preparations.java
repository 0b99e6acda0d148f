package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.worktree.FinishWorktree;
import dev.loopkeeper.contract.worktree.PrepareWorktree;
import dev.loopkeeper.contract.worktree.PreparedWorktree;
import dev.loopkeeper.contract.worktree.PruneRun;
import dev.loopkeeper.contract.worktree.RunPruned;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.contract.worktree.WorktreeFinished;
import dev.loopkeeper.contract.worktree.WorktreePlace;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.worktree.Registrations.Registered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has worktrees, and removes them. Blocking. */
final class Preparations {
    /** In the folder of the run, for the worktrees of attempts at items. */
    private static final String ATTEMPTS = "worktrees";

    private static final Logger LOG = LoggerFactory.getLogger(Preparations.class);
    private static final int REFS_AT_ONCE = 200;
    /** As git says of a ref that is to be made. */
    private static final String THERE_ALREADY = "reference already exists";

    private final Calls calls;
    private final Commits commits;
    private final Folders folders;
    private final StepCommits steps;
    private final StaleLocks locks;
    private final Registrations registrations;
    private final CarriedFiles carried;
    private final RunningGits<WorktreePlace> making;

    Preparations(
            Calls calls,
            Commits commits,
            Folders folders,
            StepCommits steps,
            StaleLocks locks,
            CarriedFiles carried,
            RunningGits<WorktreePlace> making) {
        this.calls = calls;
        this.commits = commits;
        this.folders = folders;
        this.steps = steps;
        this.locks = locks;
        this.registrations = new Registrations(calls, folders, locks);
        this.carried = carried;
        this.making = making;
    }

    PreparedWorktree prepare(PrepareWorktree command) {
        WorktreePlace place = command.place();
        Path folder = folders.of(place);
        Path repository = place.repository();
        if (!Files.exists(repository.resolve(".git"))) {
            throw new WorktreeException(
                    Problem.REPOSITORY_MOVED,
                    "there is no repository at " + repository + " any more; put it back there");
        }
        Path common = tidied(place, Refs.branch(place.branch()), Refs.base(place.runId(), place.branch()));
        Optional<Checkout> there = Checkout.find(folder).filter(any -> Folders.exists(folders.ready(place)));
        if (there.isPresent()) {
            refuseOther(there.get(), place, common);
            Checkout checkout = steps.open(place);
            return prepared(command, checkout, steps.head(checkout, place, command.head()), false);
        }
        registrations.removeHalves(repository, common, folder);
        String head = haveBranch(command);
        clear(place, folder, common);
        Folders.make(folder.getParent());
        GitCall call =
                GitCall.in(repository, "worktree", "add", "--quiet", "-f", "-f", folder.toString(), place.branch());
        GitAnswer made = making.ask(place, RunningGits.newMark(), calls, call);
        if (!made.isGood()) {
            throw Calls.failure(call, made);
        }
        Checkout checkout = Checkout.at(folder);
        carried.carry(command, folder);
        Folders.touch(folders.ready(place));
        return prepared(command, checkout, head, true);
    }

    /** Answers the repository itself, without locks that a killed git left on these refs of ours, there or not. */
    @CanIgnoreReturnValue
    private Path tidied(WorktreePlace place, String... refs) {
        Path common = commits.common(place.repository());
        commits.endDeletion(place.repository(), folders.deleting(place.runId()));
        locks.removeOfRefs(common, List.of(folders.of(place), place.repository(), common), refs);
        return common;
    }

    private static PreparedWorktree prepared(PrepareWorktree command, Checkout checkout, String head, boolean made) {
        Path workspace = checkout.folder().resolve(command.prefix());
        Folders.make(workspace);
        return new PreparedWorktree(checkout.folder(), workspace, head, made);
    }

    private static void refuseOther(Checkout checkout, WorktreePlace place, Path common) {
        try {
            if (Files.isSameFile(common, checkout.commonDir())) {
                return;
            }
        } catch (IOException gone) {
            LOG.debug("{} is compared to {}: {}", common, checkout.commonDir(), gone.toString());
        }
        throw new WorktreeException(
                Problem.REPOSITORY_MOVED,
                "the worktree " + checkout.folder() + " belongs to " + checkout.commonDir() + " and not to "
                        + place.repository());
    }

    /** What a crash or a person left of it goes; what once was whole may hold work, and is put aside. */
    private void clear(WorktreePlace place, Path folder, Path common) {
        Folders.delete(folders.removed(place));
        if (!Folders.exists(folder)) {
            Folders.delete(folders.ready(place));
            return;
        }
        locks.awaitNobody(List.of(folder, place.repository()));
        if (Folders.exists(folders.ready(place))) {
            Path lost = folders.lost(place);
            LOG.warn("{} is no worktree of {} any more; its files are kept in {}", folder, common, lost);
            Folders.move(folder, lost);
            Folders.delete(folders.ready(place));
        } else {
            Folders.delete(folder);
        }
    }

    /** Answers where it is at. */
    private String haveBranch(PrepareWorktree command) {
        WorktreePlace place = command.place();
        Path repository = place.repository();
        String branch = Refs.branch(place.branch());
        String base = Refs.base(place.runId(), place.branch());
        Optional<String> head = commits.ref(repository, branch);
        boolean ours = commits.ref(repository, base).isPresent();
        if (head.isPresent() && !ours) {
            throw taken(place);
        }
        Path folder = folders.of(place);
        for (Registered other : registrations.list(repository)) {
            if (other.branch().equals(branch) && !other.isAt(folder) && !isSame(other.folder(), folder)) {
                throw new WorktreeException(
                        Problem.BRANCH_TAKEN,
                        "the branch " + place.branch() + " is checked out in "
                                + other.folder().map(Path::toString).orElse("another worktree")
                                + "; check out another one there");
            }
        }
        if (!ours) {
            commits.update(repository, "create " + base + " " + command.base());
        }
        if (head.isEmpty()) {
            if (ours) {
                LOG.warn("somebody removed {} in {}; it is made anew at {}", branch, repository, command.head());
            }
            create(place, branch, base, command.head(), ours);
        }
        return head.orElse(command.head());
    }

    /** Another run, of another server even, may have made it since it was looked for: the branch is that one's then. */
    private void create(WorktreePlace place, String branch, String base, String head, boolean ours) {
        try {
            commits.update(place.repository(), "create " + branch + " " + head);
        } catch (WorktreeException refused) {
            if (ours || !refused.getMessage().contains(THERE_ALREADY)) {
                throw refused;
            }
            commits.delete(place.repository(), folders.deleting(place.runId()), List.of("delete " + base));
            throw taken(place);
        }
    }

    private static WorktreeException taken(WorktreePlace place) {
        return new WorktreeException(
                Problem.BRANCH_TAKEN,
                "there is a branch " + place.branch() + " in " + place.repository()
                        + " already, and this run did not make it; choose another one");
    }

    private static boolean isSame(Optional<Path> one, Path other) {
        try {
            return one.isPresent() && Files.isSameFile(one.get(), other);
        } catch (IOException absent) {
            return false;
        }
    }

    @CanIgnoreReturnValue
    WorktreeFinished finish(FinishWorktree command) {
        WorktreePlace place = command.place();
        if (Files.exists(place.repository().resolve(".git"))) {
            tidied(
                    place,
                    Refs.branch(place.branch()),
                    Refs.base(place.runId(), place.branch()),
                    Refs.archived(place.runId(), place.branch()),
                    Refs.undone(place.runId(), place.folder()));
            if (!command.archive()) {
                attempts(place).forEach(left -> finish(new FinishWorktree(left, false, false, true)));
            }
        }
        if (!command.archive()) {
            Folders.deleteIfEmpty(folders.run(place.runId()).resolve(ATTEMPTS));
        }
        Optional<Checkout> there = Checkout.find(folders.of(place));
        if (there.isPresent()) {
            Checkout checkout = steps.open(place);
            String head = steps.head(checkout, place, Refs.base(place.runId(), place.branch()));
            Optional<String> left = steps.save(checkout, head, "What was left, not committed", place.runId());
            if (left.isPresent() && command.archive()) {
                commits.update(
                        checkout.folder(), "update " + Refs.undone(place.runId(), place.folder()) + " " + left.get());
            } else if (left.isPresent()) {
                return stays("it holds changes that are not committed");
            } else if (command.keep() && !command.completed()) {
                return stays("it is to be kept");
            }
        } else if (command.keep() && !command.completed()) {
            return stays("it is to be kept");
        } else if (Folders.exists(folders.of(place)) && Folders.exists(folders.ready(place))) {
            // What it holds cannot be told any more.
            return new WorktreeFinished(
                    false,
                    Optional.of(folders.of(place) + " is no worktree of " + place.repository()
                            + " any more; remove it yourself where it holds nothing that you need"),
                    command.archive() ? archive(place) : Optional.empty());
        }
        remove(place.repository(), folders.of(place), folders.removed(place), folders.ready(place));
        return new WorktreeFinished(true, Optional.empty(), command.archive() ? archive(place) : Optional.empty());
    }

    /**
     * Those of attempts at items that are not cleared away: their runtime ended before it could. A branch of the run
     * beside its own says so.
     */
    private List<WorktreePlace> attempts(WorktreePlace run) {
        String bases = Refs.of(run.runId()) + "/base/";
        return calls.good(GitCall.in(run.repository(), "for-each-ref", "--format=%(refname)", bases))
                .text()
                .lines()
                .map(ref -> ref.substring(bases.length()))
                .filter(branch -> !branch.equals(run.branch()))
                .map(branch -> new WorktreePlace(
                        run.runId(),
                        run.repository(),
                        ATTEMPTS + "/" + branch.substring(branch.lastIndexOf('/') + 1),
                        branch))
                .toList();
    }

    private static WorktreeFinished stays(String reason) {
        return new WorktreeFinished(false, Optional.of(reason), Optional.empty());
    }

    /** The folder goes first, in one step, so that nobody takes a half of it for the whole. */
    private void remove(Path repository, Path folder, Path removed, Path ready) {
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

    private Optional<String> archive(WorktreePlace place) {
        Path repository = place.repository();
        String archived = Refs.archived(place.runId(), place.branch());
        String branch = Refs.branch(place.branch());
        String base = Refs.base(place.runId(), place.branch());
        if (!Files.exists(repository.resolve(".git"))) {
            return Optional.empty();
        }
        Optional<String> tip = commits.ref(repository, branch);
        boolean ours = commits.ref(repository, base).isPresent();
        if (tip.isPresent() && ours) {
            commits.update(repository, "update " + archived + " " + tip.get());
            commits.delete(
                    repository,
                    folders.deleting(place.runId()),
                    List.of("delete " + branch + " " + tip.get(), "delete " + base));
        } else if (ours) {
            commits.delete(repository, folders.deleting(place.runId()), List.of("delete " + base));
        }
        return commits.ref(repository, archived).map(commit -> archived);
    }

    RunPruned prune(PruneRun command) {
        Path repository = command.repository();
        if (!Files.exists(repository.resolve(".git"))) {
            return new RunPruned(0, 0);
        }
        Path common = commits.common(repository);
        Path run = folders.run(command.runId());
        Path mark = folders.deleting(command.runId());
        commits.endDeletion(repository, mark);
        locks.removeOfRefsBelow(common, List.of(run, repository, common), Refs.of(command.runId()) + "/");
        locks.removeOfRefsBelow(
                common, List.of(run, repository, common), Refs.branch(Refs.items(command.runId())) + "/");
        int worktrees = 0;
        registrations.removeHalves(repository, common, run);
        for (Registered registered : registrations.list(repository)) {
            Path folder =
                    registered.folder().filter(path -> path.startsWith(run)).orElse(null);
            if (folder != null) {
                Folders.delete(folder);
                registrations.remove(repository, common, folder);
                worktrees++;
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
        return new RunPruned(worktrees, refs.size());
    }

    private List<String> refsBelow(Path repository, String beginning) {
        return calls.good(GitCall.in(repository, "for-each-ref", "--format=%(refname)", beginning))
                .text()
                .lines()
                .toList();
    }
}
