package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.EndSignals;
import dev.loopkeeper.cli.session.FolderInUse;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Continues a run whose owner is gone: reports it if it is at rest, follows it if another process owns the folder, or
 * executes it here. A signal to this process stops the run in each case.
 */
final class RunTakeover {
    /** The time for a restart of the server, which would fail if this process owned the folder. */
    private static final Duration FOR_RESTART = Duration.ofSeconds(10);
    /** Time that an owner may take to start or to drain. */
    private static final Duration FOR_OWNER = Duration.ofSeconds(60);

    private final RootCommand root;
    private final Session session;
    private final LogOptions logs;
    private final Foreground foreground;
    private final String runId;
    private final long gone = System.nanoTime();
    /** Reaches zero once a process owns the run, so that a signal can stop it. */
    private final CountDownLatch owned = new CountDownLatch(1);

    private volatile boolean ending;

    RunTakeover(RootCommand root, Session session, LogOptions logs, Foreground foreground, String runId) {
        this.root = root;
        this.session = session;
        this.logs = logs;
        this.foreground = foreground;
        this.runId = runId;
    }

    /** Continues the run and returns its exit code once it is at rest. */
    int run() {
        Optional<Integer> code = recorded();
        if (code.isPresent()) {
            return code.get();
        }
        // Installed before the warning: a signal in response to it must stop the run, not only end this process.
        EndSignals signals = EndSignals.install(signal -> awaitOwner(), () -> {});
        try {
            return session.byOwner(FOR_OWNER, this::byOwner, this::here);
        } catch (FolderInUse inUse) {
            throw CommandFailure.unreachable(inUse.getMessage() + "\n" + runId
                    + " stays with that process; view it with: " + root.hint("show " + runId));
        } finally {
            signals.close();
        }
    }

    /** Follows the run at this owner; empty if the owner is gone. If it ends later, continues again. */
    private Optional<Integer> byOwner(Api owner) {
        try (RemoteRun remote = new RemoteRun(root, owner)) {
            if (!remote.attach(runId)) {
                return Optional.empty();
            }
            owned.countDown();
            root.console().warn("another process executes " + runId);
            Optional<Integer> code = remote.follow(foreground);
            if (code.isPresent()) {
                return code;
            }
        }
        return Optional.of(new RunTakeover(root, session, logs, foreground, runId).run());
    }

    private int here() {
        if (!ending && System.nanoTime() - gone < FOR_RESTART.toNanos()) {
            String executed = "the process that executed " + runId + " has ended";
            throw new FolderInUse(
                    executed,
                    executed + "; unless another one takes over within " + FOR_RESTART.toSeconds()
                            + " s, this process continues the run");
        }
        try (LocalRuntime folder = LocalRuntime.takeOver(session, root, Optional.of(runId), logs)) {
            owned.countDown();
            root.console().warn("this process continues " + runId);
            FeedReader feed = FeedReader.open(folder.api(), Optional.of(runId), Optional.empty());
            return foreground.followHere(session, folder, runId, feed);
        }
    }

    /** Returns the outcome of the run if the record says that it is at rest. */
    private Optional<Integer> recorded() {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            Document<Run> run = facts.known(runId);
            if (!run.view().atRest()) {
                return Optional.empty();
            }
            return Optional.of(foreground.outcome(run, facts));
        }
    }

    /** Waits until a process owns the run, as no signal can stop it before. */
    private void awaitOwner() {
        ending = true;
        try {
            if (!owned.await(FOR_OWNER.toSeconds(), TimeUnit.SECONDS)) {
                root.console().warn(runId + " was not stopped, because no process executes it");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
