package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.EndSignals;
import dev.loopkeeper.cli.session.FeedReader;
import dev.loopkeeper.cli.session.FolderInUse;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.OwnerChanges;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.ServerLocation;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A run whose owner has gone: it is over or rests, or another process has taken the data folder and carries it on, or
 * that is done here. A signal that ends this process stops the run in each case.
 */
final class Successor {
    /** A server that is restarted comes back, and would be refused its folder here. */
    private static final Duration FOR_RESTART = Duration.ofSeconds(10);
    /** How long an owner may take to begin or to drain. */
    private static final Duration FOR_OWNER = Duration.ofSeconds(60);

    private final RootCommand root;
    private final Session session;
    private final LogOptions logs;
    private final Foreground telling;
    private final String runId;
    private final OwnerChanges changes;
    /** Done when a signal reaches the run: somebody carries it on. */
    private final CountDownLatch carried = new CountDownLatch(1);

    private volatile boolean ending;

    Successor(RootCommand root, Session session, LogOptions logs, Foreground telling, String runId) {
        this.root = root;
        this.session = session;
        this.logs = logs;
        this.telling = telling;
        this.runId = runId;
        this.changes = new OwnerChanges(root, () -> runId + " is left as it is");
    }

    /** The exit code of the run, once it is at rest. */
    int carryOn() {
        Optional<Integer> code = recorded();
        if (code.isPresent()) {
            return code.get();
        }
        // Before the warning: a signal that answers it must stop the run, not end this process alone.
        EndSignals signals = EndSignals.hear(this::untilCarried, () -> {});
        try {
            root.console()
                    .warn("the process that carried " + runId + " out has gone; unless another takes its place within "
                            + FOR_RESTART.toSeconds() + " s it goes on here");
            return untilTaken();
        } finally {
            signals.close();
        }
    }

    private int untilTaken() {
        long gone = System.nanoTime();
        while (true) {
            Optional<Integer> code = ServerLocation.owner(root).flatMap(this::byOwner);
            if (code.isPresent()) {
                return code.get();
            }
            if (ending || since(gone, FOR_RESTART)) {
                try (LocalRuntime folder = LocalRuntime.takeOver(session, root, runId, logs)) {
                    return here(folder);
                } catch (FolderInUse inUse) {
                    if (since(gone, FOR_OWNER)) {
                        throw CommandFailure.unreachable(inUse.getMessage() + "\n" + runId
                                + " is left to it; look at it with: " + root.hint("show " + runId));
                    }
                }
            }
            changes.await();
        }
    }

    private static boolean since(long begun, Duration time) {
        return System.nanoTime() - begun > time.toNanos();
    }

    /** Empty where there is none any more, or it goes too. */
    private Optional<Integer> byOwner(ServerLocation owner) {
        try (GuestRun guest = new GuestRun(root, session.at(owner))) {
            if (!guest.attach(runId)) {
                return Optional.empty();
            }
            carried.countDown();
            root.console().warn("another process carries " + runId + " on");
            Optional<Integer> code = guest.follow(telling);
            if (code.isPresent()) {
                return code;
            }
        }
        return Optional.of(new Successor(root, session, logs, telling, runId).carryOn());
    }

    private int here(LocalRuntime folder) {
        carried.countDown();
        root.console().warn(runId + " goes on here");
        FeedReader feed = FeedReader.open(folder.api(), Optional.of(runId), Optional.empty());
        int code = telling.follow(folder.api(), runId, feed);
        folder.background();
        new Guests(root, session).await();
        return code;
    }

    /** Its outcome, where it is over or rests by itself. */
    private Optional<Integer> recorded() {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            Document<Run> run = facts.known(runId);
            if (!run.view().atRest()) {
                return Optional.empty();
            }
            return Optional.of(telling.outcome(run, facts));
        }
    }

    /** Nothing stops a run that nobody carries out, so this process ends only once somebody does. */
    private void untilCarried() {
        ending = true;
        changes.wake();
        try {
            if (!carried.await(FOR_OWNER.toSeconds(), TimeUnit.SECONDS)) {
                root.console().warn("nobody was there to stop " + runId);
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
