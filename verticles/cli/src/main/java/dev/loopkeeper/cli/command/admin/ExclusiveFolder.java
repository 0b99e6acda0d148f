package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.FolderInUse;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.data.DataFolderInUseException;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** Owns the data folder for one operation on its store; no run is executed at that time. */
final class ExclusiveFolder {
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private ExclusiveFolder() {}

    /**
     * Runs the operation as the owner of the folder. Ends the command with {@link FolderInUse} if another process owns
     * it, and also if the store refuses.
     */
    static <T> T own(Session session, RootCommand root, Function<EventStore, Future<T>> work) {
        try {
            OwnerLock lock = root.dataFolder().prepare().own();
            try {
                return withStore(session, root.dataFolder().path(), work);
            } finally {
                lock.close();
            }
        } catch (DataFolderInUseException owned) {
            throw FolderInUse.byOther(root, owned.getMessage());
        } catch (DataFolderException | StoreException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
    }

    private static <T> T withStore(Session session, Path path, Function<EventStore, Future<T>> work) {
        OpenStore store = Session.await(SqliteEventStore.open(session.vertx(), path), PATIENCE);
        try {
            return Session.await(work.apply(store), PATIENCE);
        } finally {
            Session.await(store.close());
        }
    }
}
