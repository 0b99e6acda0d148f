package dev.loopkeeper.embed;

import dev.loopkeeper.store.OpenStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/**
 * Opens the store that a {@link Loopkeeper} works with, when its data folder is owned; it is closed with it. An interface
 * between our own modules.
 */
@FunctionalInterface
public interface StoreOpener {
    /** Fails with {@code StoreException} where there is no sound store. */
    Future<OpenStore> open(Vertx vertx, Path dataFolder);
}
