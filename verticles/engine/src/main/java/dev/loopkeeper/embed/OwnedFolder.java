package dev.loopkeeper.embed;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;

/** The data folder while it is ours. */
record OwnedFolder(Vertx vertx, OwnerLock lock) {
    static Future<OwnedFolder> take(Vertx vertx, Path path) {
        return vertx.executeBlocking(
                () -> new OwnedFolder(vertx, new DataFolder(path).prepare().own()), false);
    }

    Future<Void> release() {
        return vertx.executeBlocking(
                () -> {
                    lock.close();
                    return null;
                },
                false);
    }
}
