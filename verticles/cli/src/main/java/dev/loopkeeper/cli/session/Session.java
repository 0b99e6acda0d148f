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

/** What one command works with: Vert.x where it is needed, and the server if there is one. Its methods block; not for event loops. */
public final class Session implements AutoCloseable {
    /** How long anything that should be quick may take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int FOR_OWNER_SECONDS = 30;
    /** How long an owner of the data folder may take to serve an address, or to go: on a machine in full use that is seconds. */
    public static final Duration FOR_OWNER = Duration.ofSeconds(FOR_OWNER_SECONDS);

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final RootCommand root;
    /** Null until somebody needs it: most commands ask a server once or twice, and end. */
    private Vertx vertx;

    Session(RootCommand root) {
        this.root = root;
    }

    /** Made when it is asked for first. */
    public synchronized Vertx vertx() {
        if (vertx == null) {
            OpenFiles.ofThisProcess().checkForCommand();
            // Without its cache of class path files Vert.x leaves nothing in the folder for temporary files.
            vertx = Vertx.vertx(new VertxOptions()
                    .setEventLoopPoolSize(2)
                    .setFileSystemOptions(
                            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        }
        return vertx;
    }

    private synchronized Optional<Vertx> made() {
        return Optional.ofNullable(vertx);
    }

    /** As {@link RootCommand#hint}. */
    String hint(String command) {
        return root == null ? "loopkeeper " + command : root.hint(command);
    }

    /** Why this server may be silent, and what to do about it. */
    String whyMaybe(ServerLocation location) {
        return ServerLocation.process(root, location)
                .map(pid -> "process " + pid
                        + " may be overloaded, see its log, or halted: then continue it with: kill -CONT " + pid)
                .orElse("it may be overloaded or stopped, see its log");
    }

    /** The server that is named, or the one that serves the data folder. */
    public Optional<Api> server() {
        return ServerLocation.find(root).map(this::at);
    }

    /** As {@link #server}, also where its process has just begun and tells its address soon; there being none ends the command. */
    public Api requireServer() {
        return requireServer("");
    }

    /**
     * As {@link #requireServer()}.
     *
     * @param otherwise what may be done without a server, for the end of the message; empty where nothing may
     */
    public Api requireServer(String otherwise) {
        return server().or(() -> startingServer(FOR_OWNER)).orElseThrow(() -> noServer(otherwise));
    }

    /** What it means that nobody serves the data folder; see {@link #requireServer(String)}. */
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

    /** Whether a process has the data folder, also one that serves no address. */
    public boolean isOwned() {
        return FolderOwner.alive(root.dataFolder()).isPresent();
    }

    /**
     * The address of a process that has taken the data folder just now, which is waited for; empty where there is no such
     * process, or it tells none.
     *
     * @param most how long, at most {@value #FOR_OWNER_SECONDS} s
     */
    public Optional<Api> startingServer(Duration most) {
        OwnerWait wait = new OwnerWait(most);
        while (true) {
            OptionalLong owner = FolderOwner.starting(root.dataFolder(), FOR_OWNER);
            Optional<Api> found = server();
            boolean goesOn = found.isEmpty()
                    && owner.isPresent()
                    && wait.goesOn(() -> "process " + owner.getAsLong() + " has just taken "
                            + root.dataFolder().path() + ": its address is waited for");
            if (!goesOn) {
                return found;
            }
        }
    }

    /**
     * Asks the server, or does the work here where nobody has the data folder. Another process that has it, and serves no
     * address, begins or ends: it is waited for.
     *
     * @param most how long, at most {@value #FOR_OWNER_SECONDS} s
     * @param here fails with {@link FolderInUse} while another process has the data folder, and has done nothing then
     */
    public <T> T byOwner(Duration most, Function<Api, T> asked, Supplier<T> here) {
        return byOwner(most, this::server, server -> Optional.of(asked.apply(server)), here);
    }

    /**
     * The same by the owner of the data folder, whatever other server is named, which may come and go meanwhile.
     *
     * @param asked empty when the owner was gone before it had done anything
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
                boolean goesOn = wait.goesOn(() -> "another process has "
                        + root.dataFolder().path() + " and serves no address: that it begins or ends is waited for");
                if (!goesOn) {
                    throw inUse;
                }
            }
        }
    }

    /** One wait for a process that has the data folder and serves no address. */
    private final class OwnerWait {
        private final OwnerChanges changes = new OwnerChanges(root, () -> "nothing was done");
        private final long begun = System.nanoTime();
        private final Duration patience;
        private boolean told;

        OwnerWait(Duration most) {
            Duration longest = root.starter().forOwner();
            this.patience = most.compareTo(longest) < 0 ? most : longest;
        }

        /** Returns when something may have changed; false when it took too long. The first time its user is told. */
        boolean goesOn(Supplier<String> what) {
            if (System.nanoTime() - begun >= patience.toNanos()) {
                return false;
            }
            if (!told) {
                root.console().warn(what.get());
                told = true;
            }
            changes.await();
            return true;
        }
    }

    public Api at(ServerLocation location) {
        return new Api(this, location);
    }

    /** Waits on the calling thread; fails as the future does. */
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
        made().ifPresent(Session::close);
    }

    private static void close(Vertx vertx) {
        try {
            vertx.close().await(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            // The process is about to end anyway.
            return;
        }
    }
}
