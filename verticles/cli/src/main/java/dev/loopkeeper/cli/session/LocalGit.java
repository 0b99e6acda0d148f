package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CommitsDiff;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.worktree.WorktreesVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Runs git on this machine for the repository of a run. A refusal of git ends the command. */
public final class LocalGit {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int MOST_BYTES = 64 << 20;

    private final Vertx vertx;

    /** @param data the data folder, which may not exist */
    public LocalGit(Vertx vertx, Path data) {
        this.vertx = vertx;
        serve(vertx, data);
    }

    /** Deploys the verticle that answers git requests of the engine in this process. */
    public static void serve(Vertx vertx, Path data) {
        RecordCodec.register(vertx);
        Session.await(vertx.deployVerticle(new WorktreesVerticle(data.toAbsolutePath())));
    }

    /**
     * Checks whether a run can begin in a workspace. The verticle is undeployed afterwards: a process that owns runs
     * deploys its own, which runs git requests one after the other.
     */
    public static Future<CheckedWorkspace> check(Vertx vertx, Path data, CheckWorkspace question) {
        RecordCodec.register(vertx);
        return vertx.deployVerticle(new WorktreesVerticle(data.toAbsolutePath()))
                .compose(id -> CheckoutChannels.CHECK
                        .ask(vertx.eventBus(), question, PATIENCE)
                        .eventually(() -> vertx.undeploy(id)));
    }

    /** Returns the git state of the run; a run without a worktree ends the command. */
    public static GitWork workOf(Run run) {
        return run.git()
                .orElseThrow(() -> CommandFailure.refused("run " + run.runId()
                        + " has no worktree, so there is no branch to compare or merge; runs have one if their manifest"
                        + " sets isolation: {git: worktree}"));
    }

    /** Returns the changes between two commits of the run's repository. */
    public Diff diff(Run run, StepPages.Commits commits) {
        CommitsDiff diff =
                ask(CheckoutChannels.DIFF, new DiffCommits(repository(run), commits.from(), commits.to(), MOST_BYTES));
        return diff.view(run.runId(), Optional.empty());
    }

    /** Passes the complete output of {@code git diff} to {@code sink} in parts. */
    public void patch(Run run, StepPages.Commits commits, Consumer<byte[]> sink) {
        ReadDiff question = new ReadDiff(
                repository(run), commits.from(), commits.to(), UUID.randomUUID().toString(), 0, false);
        try {
            DiffPart part = ask(CheckoutChannels.READ_DIFF, question);
            sink.accept(part.bytes());
            while (!part.last()) {
                question = question.behind(part);
                part = ask(CheckoutChannels.READ_DIFF, question);
                sink.accept(part.bytes());
            }
        } finally {
            // Has no effect if everything was read.
            ask(CheckoutChannels.READ_DIFF, question.ended());
        }
    }

    /** Merges the branch of the run into the branch that is checked out. */
    public RunMerged merge(Run run, boolean squash, Optional<String> into) {
        MergeRun command =
                new MergeRun(run.runId(), repository(run), workOf(run).branch(), squash, into, false);
        return ask(CheckoutChannels.MERGE_RUN, command);
    }

    /** Returns whether the branch that is checked out contains the work of the run; false if that is unknown. */
    public static boolean isMerged(Run run, GitWork work) {
        GitCall call =
                GitCall.in(Path.of(run.workspace().orElse("/")), "merge-base", "--is-ancestor", work.head(), "HEAD");
        try {
            return new GitProgram("git").run(call).isGood();
        } catch (GitException unknown) {
            return false;
        }
    }

    private Path repository(Run run) {
        Path workspace = Path.of(run.workspace().orElse("/"));
        return ask(
                        CheckoutChannels.CHECK,
                        new CheckWorkspace(workspace, workOf(run).base()))
                .repository();
    }

    @CanIgnoreReturnValue
    private <Q, A> A ask(RequestChannel<Q, A> channel, Q question) {
        return Session.await(
                channel.ask(vertx.eventBus(), question, PATIENCE)
                        .recover(cause -> Future.failedFuture(
                                cause instanceof WorktreeException refused ? failure(refused) : cause)),
                PATIENCE);
    }

    private static CommandFailure failure(WorktreeException failure) {
        return failure.problem() == WorktreeException.Problem.PARTLY_MERGED
                ? new CommandFailure(ExitCodes.FATAL, failure.getMessage())
                : CommandFailure.refused(failure.getMessage());
    }
}
