package dev.loopkeeper.cli;

import dev.loopkeeper.gateway.CannotServeException;
import dev.loopkeeper.gateway.GatewayOptions;
import dev.loopkeeper.store.DataFolderInUseException;
import dev.loopkeeper.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The data folder, owned by this process as long as a command takes. A signal that ends the process interrupts the
 * run that the command is about, if any, and gives the folder free; the JVM then exits with the signal's code.
 */
final class OwnFolder implements AutoCloseable {
    private static final Duration INTERRUPTING = Duration.ofSeconds(60);
    private static final Duration CLOSING = Duration.ofSeconds(30);
    private static final Duration REPORTING = Duration.ofSeconds(2);

    private final Session session;
    private final RootCommand command;
    private final RootStarter.Root root;
    private final Thread hook = new Thread(this::signalled, "loopkeeper-shutdown");
    private final CountDownLatch reported = new CountDownLatch(1);
    private volatile Optional<String> foreground = Optional.empty();

    private OwnFolder(Session session, RootCommand command, RootStarter.Root root) {
        this.session = session;
        this.command = command;
        this.root = root;
    }

    /** Starts what carries runs out; open runs of the folder go on. Ends the command when the folder cannot be had. */
    static OwnFolder take(Session session, RootCommand command, GatewayOptions gateway, OptionalInt maxRuns) {
        Path path = command.dataFolder().path();
        try {
            RootStarter.Root root = Session.await(command.starter().start(session.vertx(), path, gateway, maxRuns));
            OwnFolder folder = new OwnFolder(session, command, root);
            Runtime.getRuntime().addShutdownHook(folder.hook);
            return folder;
        } catch (DataFolderInUseException owned) {
            throw CommandFailure.refused(
                    owned.getMessage() + "\nA running server takes work with: " + command.hint("submit MANIFEST"));
        } catch (StoreException | CannotServeException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
    }

    /** For a command that reaches its own server only. */
    static OwnFolder take(Session session, RootCommand command) {
        Path path = command.dataFolder().path();
        return take(session, command, GatewayOptions.loopback(0, path), OptionalInt.empty());
    }

    /** For a run that nobody carries out; an unknown one ends the command and nothing is touched. */
    static OwnFolder takeOver(Session session, RootCommand command, String runId) {
        try (StoreFacts facts = new StoreFacts(session.vertx(), command)) {
            facts.known(runId);
        }
        return take(session, command);
    }

    Api api() {
        return session.at(ServerLocation.of(url(), command));
    }

    String url() {
        return root.url().orElseThrow();
    }

    /** From now on a signal interrupts this run. */
    void foreground(String runId) {
        foreground = Optional.of(runId);
    }

    private void signalled() {
        try {
            foreground.ifPresent(runId -> Session.await(root.interrupt(runId), INTERRUPTING));
            if (foreground.isPresent() && !reported.await(REPORTING.toMillis(), TimeUnit.MILLISECONDS)) {
                command.console().err().flush();
            }
            Session.await(root.close(), CLOSING);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            command.console().warn("did not end orderly (" + failed.getMessage() + "); the next start goes on");
        }
    }

    /** Drains and gives the folder free. While a signal ends the process that is done already, and waited for. */
    @Override
    public void close() {
        reported.countDown();
        if (disarmed()) {
            Session.await(root.close(), CLOSING);
            return;
        }
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
