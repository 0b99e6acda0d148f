package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.print.Words;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The resources of one command: Vert.x if needed, and the server if there is one. Its methods block; not for event
 * loops.
 */
public final class Session implements AutoCloseable {
    /** How long a quick operation may take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int FOR_OWNER_SECONDS = 30;
    /**
     * How long an owner of the data folder may take to serve an address or to end; on a busy machine that takes
     * seconds.
     */
    public static final Duration FOR_OWNER = Duration.ofSeconds(FOR_OWNER_SECONDS);

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final RootCommand root;
    /** Null until needed: most commands only send one or two requests to a server. */
    private Vertx vertx;

    Session(RootCommand root) {
        this.root = root;
    }

    /** Returns Vert.x; creates it at the first call. */
    public synchronized Vertx vertx() {
        if (vertx == null) {
            OpenFiles.ofThisProcess().checkForCommand();
            // Without its cache for class path files Vert.x creates no temporary folder.
            vertx = Vertx.vertx(new VertxOptions()
                    .setEventLoopPoolSize(2)
                    .setFileSystemOptions(
                            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        }
        return vertx;
    }

    /** Returns the command line of {@link RootCommand#hint}. */
    String hint(String command) {
        return root == null ? "loopkeeper " + command : root.hint(command);
    }

    /** Returns why this server may be silent, and what to do about it. */
    String whyMaybe(ServerLocation location) {
        return ServerLocation.process(root, location)
                .map(pid -> "process " + pid
                        + " may be overloaded, see its log, or halted: then continue it with: kill -CONT " + pid)
                .orElse("it may be overloaded or stopped, see its log");
    }

    /** Returns the server that is named, or the one that serves the data folder. */
    public Optional<Api> server() {
        return ServerLocation.find(root).map(this::at);
    }

    /** Returns the server; waits if its process has just started and serves soon. Ends the command if there is none. */
    public Api requireServer() {
        return requireServer("");
    }

    /**
     * Returns the server like {@link #requireServer()}.
     *
     * @param otherwise what can be done without a server, for the end of the message; empty if nothing can
     */
    public Api requireServer(String otherwise) {
        return server().or(() -> startingServer(FOR_OWNER)).orElseThrow(() -> noServer(otherwise));
    }

    /** Returns the failure for a data folder without a server; see {@link #requireServer(String)}. */
    public CommandFailure noServer(String otherwise) {
        String folder = root.dataFolder().path().toString();
        OptionalLong owner = FolderOwner.alive(root.dataFolder());
        return CommandFailure.unreachable(
                owner.isPresent()
                        ? "process " + owner.getAsLong() + " has " + folder
                                + " and serves no address; see what it says, or end it and start a server with: "
                                + root.hint("serve")
                        : "no server serves " + folder + "; start one with: " + root.hint("serve")
                                + ", or name one with --server URL" + otherwise);
    }

    /** Returns whether a process owns the data folder, even one that serves no address. */
    public boolean isOwned() {
        return FolderOwner.alive(root.dataFolder()).isPresent();
    }

    /**
     * Waits for the server of a process that has just taken the data folder. Empty if there is no such process, or it
     * serves no address.
     *
     * @param most how long to wait, at most {@value #FOR_OWNER_SECONDS} s
     */
    public Optional<Api> startingServer(Duration most) {
        OwnerWait wait = new OwnerWait(most);
        while (true) {
            OptionalLong owner = FolderOwner.starting(root.dataFolder(), FOR_OWNER);
            Optional<Api> found = server();
            boolean continues = found.isEmpty()
                    && owner.isPresent()
                    && wait.continues(() -> "process " + owner.getAsLong() + " has just taken "
                            + root.dataFolder().path() + "; waiting for its address");
            if (!continues) {
                return found;
            }
        }
    }

    /**
     * Asks the server, or does the work in this process if no process owns the data folder. Waits for an owner that
     * serves no address, as it is starting or ending.
     *
     * @param most how long to wait, at most {@value #FOR_OWNER_SECONDS} s
     * @param here the work in this process; fails with {@link FolderInUse} without any effect while another process
     *     owns the data folder
     */
    public <T> T byOwner(Duration most, Function<Api, T> asked, Supplier<T> here) {
        return byOwner(most, this::server, server -> Optional.of(asked.apply(server)), here);
    }

    /**
     * Works like {@link #byOwner}, but asks only the owner of the data folder, not a server that is named. The owner
     * may start or end during the wait.
     *
     * @param asked returns empty if the owner ended before it did anything
     */
    public <T> T byOwnOwner(Function<Api, Optional<T>> asked, Supplier<T> here) {
        return byOwner(FOR_OWNER, () -> ServerLocation.owner(root).map(this::at), asked, here);
    }

    private <T> T byOwner(
            Duration most, Supplier<Optional<Api>> owner, Function<Api, Optional<T>> asked, Supplier<T> here) {
        OwnerWait wait = new OwnerWait(most);
        while (true) {
            Optional<T> answer = owner.get().flatMap(asked);
            if (answer.isPresent()) {
                return answer.get();
            }
            try {
                return here.get();
            } catch (FolderInUse inUse) {
                boolean continues = wait.continues(() -> "another process has "
                        + root.dataFolder().path() + " and serves no address; waiting until it does, or ends");
                if (!continues) {
                    throw inUse;
                }
            }
        }
    }

    /** Waits for a process that owns the data folder and serves no address. */
    private final class OwnerWait {
        private final OwnerChanges changes = new OwnerChanges(root, () -> "nothing was done");
        private final long begun = System.nanoTime();
        private final Duration patience;
        private boolean warned;

        OwnerWait(Duration most) {
            Duration longest = root.starter().forOwner();
            this.patience = most.compareTo(longest) < 0 ? most : longest;
        }

        /** Waits for a change and returns true; returns false after the timeout. The first call prints a message. */
        boolean continues(Supplier<String> what) {
            if (System.nanoTime() - begun >= patience.toNanos()) {
                return false;
            }
            if (!warned) {
                root.console().warn(what.get());
                warned = true;
            }
            changes.await();
            return true;
        }
    }

    public Api at(ServerLocation location) {
        return new Api(this, location);
    }

    /** Waits on the calling thread; fails if the future fails. */
    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future) {
        return await(future, PATIENCE);
    }

    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future, Duration patience) {
        if (future.succeeded()) {
            return future.result(); // waiting would load Vert.x
        }
        try {
            return future.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw CommandFailure.unreachable("no answer within " + Words.duration(patience.toMillis()));
        }
    }

    @Override
    public void close() {
        Vertx made;
        synchronized (this) {
            made = vertx;
        }
        if (made == null) {
            return;
        }
        try {
            made.close().await(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            // The process is about to end anyway.
            return;
        }
    }
}
