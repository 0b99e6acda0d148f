package dev.loopkeeper.cli;

import dev.loopkeeper.cli.session.RootStarter;
import io.vertx.core.Future;
import java.util.Optional;

/** The owner of a data folder that only reports whether it was closed. */
final class ClosingRoot implements RootStarter.Root {
    private volatile boolean closed;

    boolean isClosed() {
        return closed;
    }

    @Override
    public Optional<String> url() {
        return Optional.empty();
    }

    @Override
    public Future<Void> interrupt(String runId, String why) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> skipGrace() {
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        closed = true;
        return Future.succeededFuture();
    }
}
