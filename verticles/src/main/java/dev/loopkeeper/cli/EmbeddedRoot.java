package dev.loopkeeper.cli;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** The real composition root. */
final class EmbeddedRoot implements RootStarter.Root {
    private final Loopkeeper keeper;

    private EmbeddedRoot(Loopkeeper keeper) {
        this.keeper = keeper;
    }

    static Future<RootStarter.Root> start(Vertx vertx, LoopkeeperOptions options) {
        return Loopkeeper.start(vertx, options).map(EmbeddedRoot::new);
    }

    @Override
    public Optional<String> url() {
        return keeper.url();
    }

    @Override
    public Future<Void> interrupt(String runId) {
        return keeper.interrupt(runId, "loopkeeper was told to end");
    }

    @Override
    public Future<Void> hurry() {
        return keeper.hurry();
    }

    @Override
    public Future<Void> close() {
        return keeper.close();
    }
}
