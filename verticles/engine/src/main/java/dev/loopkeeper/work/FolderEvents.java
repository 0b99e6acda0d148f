package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports changes in folders. The operating system drops events under load and when a folder is replaced, so a listener
 * must also poll. Thread-safe.
 */
public final class FolderEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderEvents.class);

    private final WatchService service;
    private final Map<Path, WatchKey> keys = new ConcurrentHashMap<>();
    private final Consumer<Path> listener;

    /**
     * Follows no folder yet.
     *
     * @param listener receives the folder, on a thread of its own; must not block
     */
    public FolderEvents(Consumer<Path> listener) throws IOException {
        this.listener = listener;
        this.service = FileSystems.getDefault().newWatchService();
        Thread thread = new Thread(this::listen, "loopkeeper-folders");
        thread.setDaemon(true);
        thread.start();
    }

    /** Follows a folder, also one that was removed and created again. Blocks. */
    public void follow(Path folder) throws IOException {
        WatchKey known = keys.get(folder);
        if (known == null || !known.isValid()) {
            keys.put(
                    folder,
                    folder.register(
                            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY));
        }
    }

    /** Stops reporting changes of the folder. */
    public void unfollow(Path folder) {
        WatchKey key = keys.remove(folder);
        if (key != null) {
            key.cancel();
        }
    }

    private void listen() {
        try {
            while (true) {
                report(service.take());
            }
        } catch (ClosedWatchServiceException closed) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** An exception of the listener does not stop later reports. */
    private void report(WatchKey key) {
        try {
            key.pollEvents();
            listener.accept((Path) key.watchable());
        } catch (RuntimeException | Error broken) {
            LOG.error("the listener for changes in {} failed", key.watchable(), broken);
        } finally {
            key.reset();
        }
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
