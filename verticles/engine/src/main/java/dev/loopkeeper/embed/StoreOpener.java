package dev.loopkeeper.embed;

import dev.loopkeeper.store.OpenStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/**
 * Opens the store of a {@link Loopkeeper} once its data folder is locked; both are closed together. An interface
 * between our own modules.
 */
@FunctionalInterface
public interface StoreOpener {
    /** Opens the store. Fails with {@code StoreException} where it is missing or damaged. */
    Future<OpenStore> open(Vertx vertx, Path dataFolder);
}
