package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.ErrorStream;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.data.DataFolderInUseException;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.CannotServeException;
import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Future;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The data folder, owned by this process as long as a command takes. A signal that ends the process interrupts the
 * run that the command is about, if any, and gives the folder free; the JVM then exits with the signal's code. A second
 * signal skips the grace of the agents.
 */
public final class LocalRuntime implements AutoCloseable {
    private static final Duration INTERRUPTING = Duration.ofSeconds(60);
    private static final Duration CLOSING = Duration.ofSeconds(30);
    private static final Duration REPORTING = Duration.ofSeconds(2);

    private final Session session;
    private final RootCommand command;
    private final Future<RootStarter.Root> starting;
    private final Thread hook = new Thread(this::signalled, "loopkeeper-shutdown");
    private final CountDownLatch reported = new CountDownLatch(1);
    private volatile Optional<String> foreground = Optional.empty();
    private EndSignals signals;
    private boolean ending;

    private LocalRuntime(Session session, RootCommand command, Future<RootStarter.Root> starting) {
        this.session = session;
        this.command = command;
        this.starting = starting;
    }

    /** Starts what carries runs out; open runs of the folder go on. Ends the command when the folder cannot be had. */
    public static LocalRuntime take(
            Session session, RootCommand command, LoopkeeperOptions options, GatewayOptions serving) {
        return take(session, command, options, serving, Optional.empty());
    }

    private static LocalRuntime take(
            Session session,
            RootCommand command,
            LoopkeeperOptions options,
            GatewayOptions serving,
            Optional<String> foreground) {
        OpenFiles.ofThisProcess().check();
        LocalRuntime folder =
                new LocalRuntime(session, command, command.starter().start(session.vertx(), options, serving));
        folder.foreground = foreground;
        // What logs must not wait for a reader: it carries runs out.
        ErrorStream.system().aside();
        // Before it is up: what this start takes up again must not outlive a signal that comes meanwhile.
        Runtime.getRuntime().addShutdownHook(folder.hook);
        folder.signals = EndSignals.hear(folder::tellOfSecond, folder::hurry);
        folder.begin();
        return folder;
    }

    /** What an interruption meets while it starts is up a moment later, and would stay. */
    private void begin() {
        boolean interrupted = true;
        try {
            awaitStart();
            interrupted = false;
        } catch (RuntimeException refused) {
            interrupted = false;
            throw refused;
        } finally {
            if (interrupted) {
                Session.await(starting.compose(RootStarter.Root::close).otherwiseEmpty(), CLOSING);
                leaveStart();
            }
        }
    }

    private void awaitStart() {
        try {
            Session.await(starting, command.starter().limit());
        } catch (DataFolderInUseException owned) {
            leaveStart();
            throw new FolderInUse(
                    owned.getMessage() + "\nA running server takes work with: " + command.hint("submit MANIFEST"));
        } catch (StoreUnavailableException away) {
            throw refusedStart(
                    away.getMessage() + ". Check its address and that it runs, and start again; nothing was changed.");
        } catch (DataFolderException | StoreException | CannotServeException refused) {
            throw refusedStart(refused.getMessage());
        } catch (CommandFailure late) {
            throw starting.isComplete() ? late : givenUp();
        } catch (Exception failed) {
            // Whatever is written first may be what a full disk does not take.
            if (failed instanceof FileSystemException
                    || ResourceExhaustedException.in(failed).isPresent()) {
                throw refusedStart("the data folder " + command.dataFolder().path() + " cannot be used: " + failed
                        + ". Check the rights and the room on this disk.");
            }
            throw failed;
        }
    }

    /** Whatever comes up all the same is closed; this process waits for it no longer. */
    private CommandFailure givenUp() {
        starting.compose(RootStarter.Root::close)
                .onFailure(failed -> command.console().warn("the start failed in the end: " + failed.getMessage()));
        leaveStart();
        return CommandFailure.unreachable(
                "the start with " + command.dataFolder().path() + " has not ended within "
                        + Words.duration(command.starter().limit().toMillis())
                        + "; what it waits for is told by: " + command.hint("serve") + " --log-level DEBUG");
    }

    private CommandFailure refusedStart(String why) {
        leaveStart();
        return CommandFailure.refused(why);
    }

    private void leaveStart() {
        reported.countDown();
        if (disarmed()) {
            signals.close();
        } else {
            joinHook();
        }
    }

    private RootStarter.Root root() {
        return Session.await(starting);
    }

    /** For a command that reaches its own server only. */
    public static LocalRuntime take(Session session, RootCommand command, LogOptions logs) {
        return unseen(session, command, logs, Optional.empty());
    }

    private static LocalRuntime unseen(
            Session session, RootCommand command, LogOptions logs, Optional<String> foreground) {
        Path path = command.dataFolder().path();
        LoopkeeperOptions options = logs.over(LoopkeeperOptions.of(path));
        return take(session, command, options, GatewayOptions.loopback(0, path), foreground);
    }

    /** For a run that nobody carries out; an unknown one ends the command and nothing is touched. */
    public static LocalRuntime takeOver(Session session, RootCommand command, String runId, LogOptions logs) {
        try (StoreFacts facts = new StoreFacts(session.vertx(), command)) {
            facts.known(runId);
        }
        return unseen(session, command, logs, Optional.of(runId));
    }

    public Api api() {
        return session.at(ServerLocation.of(url(), command));
    }

    public String url() {
        return root().url().orElseThrow();
    }

    /**
     * Takes the run that {@code start} answers with into the foreground: a signal interrupts it from the moment that it
     * exists. After a signal nothing is started any more, which ends the command.
     */
    public synchronized String foreground(Supplier<String> start) {
        if (ending) {
            throw CommandFailure.refused("nothing was started: loopkeeper was told to end");
        }
        String runId = start.get();
        foreground = Optional.of(runId);
        return runId;
    }

    /** The run of the foreground is at rest: a signal leaves it as it is from now on. */
    public synchronized void background() {
        foreground = Optional.empty();
    }

    /** The run to interrupt; waits for one that is just being started. */
    private synchronized Optional<String> end() {
        ending = true;
        return foreground;
    }

    private void tellOfSecond() {
        command.console()
                .warn("stopping" + foreground.map(runId -> " " + runId).orElse("") + "; again to kill at once");
    }

    /** Also for what is stopped only from now on. */
    private void hurry() {
        starting.compose(RootStarter.Root::hurry)
                .onFailure(failed -> command.console().warn("nothing can be hurried: " + failed.getMessage()));
    }

    private void signalled() {
        try {
            end().ifPresent(runId -> Session.await(root().interrupt(runId), INTERRUPTING));
            if (foreground.isPresent()) {
                boolean unused = reported.await(REPORTING.toMillis(), TimeUnit.MILLISECONDS);
            }
            Session.await(root().close(), CLOSING);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            command.console().warn("did not end properly (" + failed.getMessage() + "); the next start continues");
        } finally {
            ErrorStream.system().finish();
        }
    }

    /** Drains and gives the folder free. While a signal ends the process that is done already, and waited for. */
    @Override
    public void close() {
        reported.countDown();
        if (disarmed()) {
            Session.await(root().close(), CLOSING);
            signals.close();
            return;
        }
        joinHook();
    }

    private void joinHook() {
        try {
            hook.join(INTERRUPTING.plus(CLOSING).toMillis());
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean disarmed() {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return false;
        }
    }
}
