package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.worktree.CheckWorkspace;
import dev.loopkeeper.contract.worktree.CheckedWorkspace;
import dev.loopkeeper.contract.worktree.CommitsDiff;
import dev.loopkeeper.contract.worktree.DiffCommits;
import dev.loopkeeper.contract.worktree.DiffPart;
import dev.loopkeeper.contract.worktree.MergeRun;
import dev.loopkeeper.contract.worktree.ReadDiff;
import dev.loopkeeper.contract.worktree.RunMerged;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.contract.worktree.WorktreeException;
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

/** Asks git on this machine about the repository of a run. What git refuses ends the command. */
public final class LocalGit {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int MOST_BYTES = 64 << 20;

    private final Vertx vertx;

    /** @param data the data folder, which need not be there */
    public LocalGit(Vertx vertx, Path data) {
        this.vertx = vertx;
        serve(vertx, data);
    }

    /** Has questions about git answered in this process, for parts of the engine that ask them over its channels. */
    public static void serve(Vertx vertx, Path data) {
        RecordCodec.register(vertx);
        Session.await(vertx.deployVerticle(new WorktreesVerticle(data.toAbsolutePath())));
    }

    /**
     * Whether a run can begin there. What is asked for it is gone again afterwards, since whoever carries a run out has
     * such a one of their own, which asks git for one thing after the other.
     */
    public static Future<CheckedWorkspace> check(Vertx vertx, Path data, CheckWorkspace question) {
        RecordCodec.register(vertx);
        return vertx.deployVerticle(new WorktreesVerticle(data.toAbsolutePath()))
                .compose(id -> WorktreeChannels.CHECK
                        .ask(vertx.eventBus(), question, PATIENCE)
                        .eventually(() -> vertx.undeploy(id)));
    }

    /** What the run has done in git; a run without a worktree of its own ends the command. */
    public static GitWork workOf(Run run) {
        return run.git()
                .orElseThrow(() -> CommandFailure.refused("run " + run.runId()
                        + " has no worktree of its own; its manifest would say isolation: {git: worktree}"));
    }

    /** What changed between two commits of its repository. */
    public Diff diff(Run run, String from, String to) {
        CommitsDiff diff = ask(WorktreeChannels.DIFF, new DiffCommits(repository(run), from, to, MOST_BYTES));
        return diff.view(run.runId(), Optional.empty());
    }

    /** The same as git says it, all of it, part by part. */
    public void patch(Run run, String from, String to, Consumer<byte[]> sink) {
        ReadDiff question =
                new ReadDiff(repository(run), from, to, UUID.randomUUID().toString(), 0, false);
        try {
            DiffPart part = ask(WorktreeChannels.READ_DIFF, question);
            sink.accept(part.bytes());
            while (!part.last()) {
                question = question.behind(part);
                part = ask(WorktreeChannels.READ_DIFF, question);
                sink.accept(part.bytes());
            }
        } finally {
            // Ended already where all was read.
            ask(WorktreeChannels.READ_DIFF, question.ended());
        }
    }

    /** Merges the branch of the run into the one that is checked out. */
    public RunMerged merge(Run run, boolean squash, Optional<String> into) {
        MergeRun command =
                new MergeRun(run.runId(), repository(run), workOf(run).branch(), squash, into, false);
        return ask(WorktreeChannels.MERGE_RUN, command);
    }

    private Path repository(Run run) {
        Path workspace = Path.of(run.workspace().orElse("/"));
        return ask(
                        WorktreeChannels.CHECK,
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
