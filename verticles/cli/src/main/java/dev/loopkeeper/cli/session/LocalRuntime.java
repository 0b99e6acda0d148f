package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.ErrorStream;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StopAll;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.data.DataFolderInUseException;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.CannotServeException;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Future;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Owns the data folder and executes its runs in this process while a command runs. A signal interrupts the run of the
 * command, if any, and releases the folder; the JVM then exits with the signal's code. A second signal skips the grace
 * of the agents.
 */
public final class LocalRuntime implements AutoCloseable {
    private static final Duration INTERRUPTING = Duration.ofSeconds(60);
    private static final Duration CLOSING = Duration.ofSeconds(30);
    private static final Duration REPORTING = Duration.ofSeconds(2);

    private final Session session;
    private final RootCommand command;
    private final Future<RootStarter.Root> starting;
    private volatile Optional<String> foreground = Optional.empty();
    private volatile ShutdownHook hook;
    private volatile String interruption = "loopkeeper is ending";
    private boolean ending;

    private LocalRuntime(Session session, RootCommand command, Future<RootStarter.Root> starting) {
        this.session = session;
        this.command = command;
        this.starting = starting;
    }

    /**
     * Starts Loopkeeper in this process, which resumes the open runs of the folder. Ends the command if the folder
     * cannot be owned.
     */
    public static LocalRuntime take(
            Session session,
            RootCommand command,
            LoopkeeperOptions options,
            GatewayOptions serving,
            Optional<String> foreground) {
        OpenFiles.ofThisProcess().check();
        LocalRuntime folder =
                new LocalRuntime(session, command, command.starter().start(session.vertx(), options, serving));
        folder.foreground = foreground;
        // This process executes runs, so logging must not block on a reader.
        ErrorStream.system().writeInBackground();
        // Installed before the start completes: a signal during the start must end the runs that this start resumes,
        // too.
        folder.hook = ShutdownHook.install(
                folder::signalled, INTERRUPTING.plus(CLOSING), folder::firstSignal, folder::skipGrace);
        folder.begin();
        return folder;
    }

    /**
     * Waits for the start. If the wait is interrupted, closes Loopkeeper once it has started, as it would otherwise
     * keep running.
     */
    private void begin() {
        boolean interrupted = true;
        try {
            awaitStart();
            interrupted = false;
            FolderWatch.start(session.vertx(), command.dataFolder().path(), this::lost);
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
            throw FolderInUse.byOther(
                    command,
                    owned.getMessage() + "\nA running server takes work with: " + command.hint("submit MANIFEST"));
        } catch (StoreUnavailableException unavailable) {
            throw refusedStart(unavailable.getMessage()
                    + ". Check its address and whether it is running, then start again; nothing was changed.");
        } catch (DataFolderException | StoreException | CannotServeException refused) {
            throw refusedStart(refused.getMessage());
        } catch (CommandFailure late) {
            throw starting.isComplete() ? late : givenUp();
        } catch (Exception failed) {
            // On a full disk any first write may fail.
            if (failed instanceof FileSystemException
                    || ResourceExhaustedException.in(failed).isPresent()) {
                throw refusedStart("the data folder " + command.dataFolder().path() + " cannot be used: " + failed
                        + ". Check the rights and the free space on this disk.");
            }
            throw failed;
        }
    }

    /** Stops waiting for the start, and closes Loopkeeper if it starts later. */
    private CommandFailure givenUp() {
        starting.compose(RootStarter.Root::close)
                .onFailure(failed -> command.console().warn("the start failed: " + failed.getMessage()));
        leaveStart();
        return CommandFailure.unreachable(
                "the start with " + command.dataFolder().path() + " has not ended within "
                        + Words.duration(command.starter().limit().toMillis())
                        + "; see what it waits for with: " + command.hint("serve") + " --log-level DEBUG");
    }

    private CommandFailure refusedStart(String why) {
        leaveStart();
        return CommandFailure.refused(why);
    }

    private void leaveStart() {
        hook.close(() -> {});
    }

    private RootStarter.Root root() {
        return Session.await(starting);
    }

    /**
     * Starts with a server on the loopback address for this command.
     *
     * @param recorded a run that no process executes and that this command continues; empty for a run that it starts
     */
    public static LocalRuntime takeOver(
            Session session, RootCommand command, Optional<String> recorded, LogOptions logs) {
        Path path = command.dataFolder().path();
        LoopkeeperOptions options = logs.over(LoopkeeperOptions.of(path).schedules(false));
        return take(session, command, options, GatewayOptions.loopback(0, path), recorded);
    }

    public Api api() {
        return session.at(ServerLocation.owner(command).orElseGet(() -> ServerLocation.of(url(), command)));
    }

    public String url() {
        return root().url().orElseThrow();
    }

    /**
     * Makes the run that {@code start} returns the foreground run, which a signal interrupts from the moment it exists.
     * After a signal nothing is started and the command ends.
     */
    public synchronized String foreground(Supplier<String> start) {
        if (ending) {
            throw CommandFailure.refused("nothing was started: loopkeeper is ending");
        }
        String runId = start.get();
        foreground = Optional.of(runId);
        return runId;
    }

    /** Releases the foreground run because it is at rest; signals no longer interrupt it. */
    public synchronized void background() {
        foreground = Optional.empty();
    }

    /** Returns the run to interrupt; waits for one that is just being started. */
    private synchronized Optional<String> end() {
        ending = true;
        return foreground;
    }

    private void firstSignal(String name) {
        interruption = "loopkeeper received " + name + (name.equals("SIGINT") ? " (Ctrl-C)" : "");
        command.console()
                .warn("stopping"
                        + foreground
                                .map(runId -> " " + runId + "; press Ctrl-C again to kill at once")
                                .orElse("; a second signal kills at once"));
    }

    /** Skips the grace, also for processes that are stopped later. */
    private void skipGrace() {
        starting.compose(RootStarter.Root::skipGrace)
                .onFailure(failed -> command.console().warn("the grace cannot be skipped: " + failed.getMessage()));
    }

    private void signalled(ShutdownHook shutdown) {
        try {
            end().ifPresent(runId -> Session.await(root().interrupt(runId, interruption), INTERRUPTING));
            if (foreground.isPresent()) {
                shutdown.awaitReport(REPORTING);
            }
            Session.await(root().close(), CLOSING);
        } catch (RuntimeException failed) {
            command.console()
                    .warn("the shutdown failed (" + failed.getMessage() + "); the next start continues the open runs");
        } finally {
            ErrorStream.system().finish();
        }
    }

    /** Ends this process: no event of its runs can be recorded, and another process could own the folder. */
    private void lost(Path file) {
        hook.close(() -> {
            command.console()
                    .warn(file + " was deleted or replaced while loopkeeper ran: its runs are stopped and not recorded."
                            + " Restore the data folder from a backup, or run the manifest again with a data folder outside"
                            + " of the workspace (--data), where no git clean or rm of an agent deletes it");
            try {
                Session.await(
                        ProcessChannels.STOP_ALL.ask(session.vertx().eventBus(), new StopAll(false, true), CLOSING),
                        CLOSING);
            } catch (RuntimeException failed) {
                command.console().warn("not all agents could be stopped: " + failed.getMessage());
            }
            ErrorStream.system().finish();
            Runtime.getRuntime().exit(ExitCodes.FATAL);
        });
    }

    /** Drains and releases the folder. During a shutdown by signal it only waits, since the hook does that. */
    @Override
    public void close() {
        hook.close(() -> Session.await(root().close(), CLOSING));
    }
}
