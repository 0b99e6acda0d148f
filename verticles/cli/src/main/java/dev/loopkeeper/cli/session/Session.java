package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.cli.print.Words;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What one command works with: Vert.x where it is needed, and the server if there is one. Its methods block; not for event loops. */
public final class Session implements AutoCloseable {
    /** How long anything that should be quick may take. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

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

    /** The server that is named, or the one that serves the data folder. */
    public Optional<Api> server() {
        return ServerLocation.find(root).map(this::at);
    }

    /** As {@link #server}; there being none ends the command. */
    public Api requireServer() {
        return server().orElseThrow(() -> CommandFailure.unreachable("no server serves "
                + root.dataFolder().path() + "; start one with: " + root.hint("serve")
                + ", or name one with --server URL"));
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
