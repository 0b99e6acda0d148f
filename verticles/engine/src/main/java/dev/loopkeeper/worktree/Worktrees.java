package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeChannels.CommitStep;
import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeChannels.EndPreparation;
import dev.loopkeeper.contract.WorktreeChannels.FindUnsavedWork;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.SetUpWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.UnsavedWork;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeReset;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Offers all operations on worktrees. Blocking; callers serialize commands on one worktree, and commands that change
 * the worktree list of one repository.
 */
final class Worktrees {
    private static final Duration FOR_OTHERS = Duration.ofSeconds(10);

    private final OrphanedGit orphaned;
    private final RunningGits running;
    private final StepCommits steps;
    private final Resets resets;
    private final ItemMerges items;
    private final WorkspaceChecks checks;
    private final Preparations preparations;
    private final Setups setups;
    private final Removals removals;
    private final UnsavedWorkSearch unsaved;
    private final Diffs diffs;
    private final RunMerges runs;

    /** @param data the data folder, absolute */
    Worktrees(Path data, GitProgram git) {
        orphaned = new OrphanedGit(data, FOR_OTHERS);
        running = new RunningGits(data, FOR_OTHERS);
        GitCalls calls = new GitCalls(git, orphaned.mark(), running);
        StaleLocks locks = new StaleLocks(FOR_OTHERS);
        Commits commits = new Commits(calls, locks);
        Folders folders = new Folders(data);
        OnlyCopies onlyCopies = new OnlyCopies(calls, commits);
        SharedSettings settings = new SharedSettings(calls, commits);
        Checkouts checkouts = new Checkouts(calls, commits, folders, locks, settings);
        Uncommitted uncommitted = new Uncommitted(calls, commits);
        resets = new Resets(calls, commits, folders, checkouts, uncommitted, onlyCopies);
        steps = new StepCommits(calls, commits, folders, checkouts, uncommitted, onlyCopies, settings);
        items = new ItemMerges(calls, commits, folders, locks, checkouts, uncommitted, onlyCopies, steps);
        CarriedFiles carried = new CarriedFiles(calls, orphaned.mark(), running);
        checks = new WorkspaceChecks(calls, commits, uncommitted, carried);
        Registrations registrations = new Registrations(calls, folders, locks);
        preparations = new Preparations(calls, commits, folders, checkouts, locks, registrations, carried, settings);
        setups = new Setups(folders, orphaned.mark(), running);
        UnreachedCommits unreached = new UnreachedCommits(calls, commits);
        removals = new Removals(
                calls, commits, folders, checkouts, uncommitted, locks, registrations, onlyCopies, unreached);
        unsaved = new UnsavedWorkSearch(calls, folders, uncommitted, checks, registrations, onlyCopies, unreached);
        diffs = new Diffs(calls, commits);
        runs = new RunMerges(calls, commits, uncommitted, registrations);
    }

    @CanIgnoreReturnValue
    CheckedWorkspace check(CheckWorkspace question) {
        return checks.check(question);
    }

    @CanIgnoreReturnValue
    PreparedWorktree prepare(PrepareWorktree command) {
        return during(command.location(), command.location(), Duration.ZERO, () -> preparations.prepare(command));
    }

    @CanIgnoreReturnValue
    SetUpWorktree setUp(SetUpWorktree command) {
        return during(command.location(), command.location(), Duration.ZERO, () -> {
            setups.setUp(command);
            return command;
        });
    }

    void holdLogs() {
        setups.holdLogs();
    }

    private <A> A during(WorktreeLocation location, Supplier<A> work) {
        return during(new EndHooks(location.runId(), EndHooks.OF_RUN), location, RunningGits.GRACE, work);
    }

    private <A> A during(Object purpose, WorktreeLocation location, Duration grace, Supplier<A> work) {
        orphaned.end();
        return running.during(purpose, location.runId(), EndHooks.OF_RUN, grace, work);
    }

    /** Returns how many git processes were ended. */
    int end(EndHooks command) {
        return running.end(
                command,
                new WorktreeException(
                        Problem.HOOK_ENDED,
                        "git was ended, with its hooks and filters, because the run is being stopped"));
    }

    /** Returns how many git processes were ended. */
    int end(EndPreparation command) {
        return running.end(command.location(), preparationEnded("what prepared it was ended"));
    }

    /** @param how how far the preparation had come */
    static WorktreeException preparationEnded(String how) {
        return new WorktreeException(
                Problem.PREPARATION_ENDED, "the worktree was not prepared, because its step is being stopped; " + how);
    }

    @CanIgnoreReturnValue
    StepCommitted commit(CommitStep command) {
        orphaned.end();
        String runId = command.location().runId();
        String stepId = command.message().stepId();
        return running.during(
                new EndHooks(runId, stepId), runId, stepId, RunningGits.GRACE, () -> steps.commit(command));
    }

    @CanIgnoreReturnValue
    WorktreeReset reset(ResetWorktree command) {
        return during(command.location(), () -> resets.reset(command));
    }

    @CanIgnoreReturnValue
    ItemMerged merge(MergeItem command) {
        return during(command.location(), () -> items.merge(command));
    }

    @CanIgnoreReturnValue
    WorktreeFinished finish(FinishWorktree command) {
        return during(command.location(), () -> removals.finish(command));
    }

    @CanIgnoreReturnValue
    CommitsDiff diff(DiffCommits question) {
        return diffs.diff(question);
    }

    @CanIgnoreReturnValue
    DiffPart read(ReadDiff question) {
        return diffs.read(question);
    }

    /** Ends diffs whose readers are idle. */
    void endSilentReaders() {
        diffs.readers().endSilent();
    }

    /** Ends all diffs. */
    void close() {
        diffs.readers().close();
    }

    @CanIgnoreReturnValue
    RunMerged merge(MergeRun command) {
        return runs.merge(command);
    }

    UnsavedWork find(FindUnsavedWork question) {
        return unsaved.find(question);
    }

    @CanIgnoreReturnValue
    PruneRun prune(PruneRun command) {
        orphaned.end();
        return removals.prune(command);
    }
}
