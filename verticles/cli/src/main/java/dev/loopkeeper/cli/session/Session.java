package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.print.Words;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.Map;
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
    /** Time that a quick operation may take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * How long an owner of the data folder may take to serve an address or to end; on a busy machine that takes
     * seconds.
     */
    public static final Duration FOR_OWNER = Duration.ofSeconds(30);

    /** Polls at this interval: releasing a data folder changes no file. */
    private static final Duration OWNER_INTERVAL = Duration.ofMillis(100);

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
                    // Removing or exporting a large run takes minutes; Vert.x would log a stack trace each second.
                    .setMaxWorkerExecuteTimeUnit(TimeUnit.HOURS)
                    .setMaxWorkerExecuteTime(1)
                    .setFileSystemOptions(
                            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        }
        return vertx;
    }

    /** Returns the command line of {@link RootCommand#hint}. */
    String hint(String command) {
        return root == null ? "loopkeeper " + command : root.hint(command);
    }

    /** Returns the environment of the command. */
    Map<String, String> environment() {
        return root == null ? Map.of() : root.console().environment();
    }

    /** Returns why this server may be silent, and what to do about it. */
    String whyMaybe(ServerLocation location) {
        return ServerLocation.process(root, location)
                .map(pid -> "process " + pid
                        + " may be overloaded (see its log) or suspended; continue a suspended one with: kill -CONT "
                        + pid)
                .orElse("the server may be overloaded or suspended; see its log");
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
                        ? "process " + owner.getAsLong() + " owns " + folder
                                + " but serves no URL; check the output of that process, or end the process and start a server with: "
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
     * @param most how long to wait
     */
    public Optional<Api> startingServer(Duration most) {
        try {
            return byServer(most, this::server, server -> Optional.of(Optional.of(server)), () -> {
                FolderOwner.starting(root.dataFolder(), FOR_OWNER).ifPresent(owner -> {
                    String taken = "process " + owner + " has just started on "
                            + root.dataFolder().path();
                    throw new FolderInUse(taken, taken + "; waiting for its URL");
                });
                return Optional.empty();
            });
        } catch (FolderInUse withoutAddress) {
            return Optional.empty();
        }
    }

    /**
     * Asks the server, or does the work in this process if no process owns the data folder.
     *
     * @param most how long to wait for an owner that serves no address, at most {@link #FOR_OWNER}
     * @param here see {@link #byOwner(Duration, Function, Supplier)}
     */
    public <T> T byServer(Duration most, Function<Api, T> asked, Supplier<T> here) {
        Duration patience = most.compareTo(FOR_OWNER) < 0 ? most : FOR_OWNER;
        return byServer(patience, this::server, server -> Optional.of(asked.apply(server)), here);
    }

    /**
     * Asks the owner of the data folder, whatever server is named, or does the work in this process. The owner may
     * start or end during the wait.
     *
     * @param most how long to wait while neither is possible
     * @param asked returns empty if the owner ended before it did anything
     * @param here the work in this process; fails with {@link FolderInUse} without any effect while this process cannot
     *     do it
     */
    public <T> T byOwner(Duration most, Function<Api, Optional<T>> asked, Supplier<T> here) {
        return byServer(most, () -> ServerLocation.owner(root).map(this::at), asked, here);
    }

    /** The one rule for a data folder: its server is asked; if there is none, this process does the work. */
    private <T> T byServer(
            Duration most, Supplier<Optional<Api>> server, Function<Api, Optional<T>> asked, Supplier<T> here) {
        long begun = System.nanoTime();
        boolean warned = false;
        while (true) {
            Optional<T> answer = server.get().flatMap(asked);
            if (answer.isPresent()) {
                return answer.get();
            }
            try {
                return here.get();
            } catch (FolderInUse inUse) {
                if (System.nanoTime() - begun >= most.toNanos()) {
                    throw inUse;
                }
                if (!warned) {
                    root.console().warn(inUse.waiting());
                    warned = true;
                }
                sleep(OWNER_INTERVAL, inUse);
            }
        }
    }

    /** Sleeps; an interrupt ends the command with this failure. */
    public static void sleep(Duration time, RuntimeException otherwise) {
        try {
            Thread.sleep(Math.max(0, time.toMillis()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw otherwise;
        }
    }

    /** Starts a thread that does not keep this process alive. */
    @CanIgnoreReturnValue
    public static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
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
