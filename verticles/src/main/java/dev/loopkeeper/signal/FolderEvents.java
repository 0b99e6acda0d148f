package dev.loopkeeper.signal;

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

/**
 * Tells that something happened in a folder, soon but not surely: whoever listens must look for itself now and then,
 * since the system drops events under load and when a folder is made anew. Thread-safe.
 */
final class FolderEvents implements AutoCloseable {
    private final WatchService service;
    private final Map<Path, WatchKey> keys = new ConcurrentHashMap<>();
    private final Consumer<Path> ear;

    /** @param ear hears the folder, on a thread of its own; must not block */
    FolderEvents(Consumer<Path> ear) throws IOException {
        this.ear = ear;
        this.service = FileSystems.getDefault().newWatchService();
        Thread listener = new Thread(this::listen, "loopkeeper-signals");
        listener.setDaemon(true);
        listener.start();
    }

    /** Follows a folder, also one that was removed and made again. Blocking. */
    void follow(Path folder) throws IOException {
        WatchKey known = keys.get(folder);
        if (known == null || !known.isValid()) {
            keys.put(
                    folder,
                    folder.register(
                            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY));
        }
    }

    void unfollow(Path folder) {
        WatchKey key = keys.remove(folder);
        if (key != null) {
            key.cancel();
        }
    }

    private void listen() {
        try {
            while (true) {
                WatchKey key = service.take();
                key.pollEvents();
                ear.accept((Path) key.watchable());
                key.reset();
            }
        } catch (ClosedWatchServiceException closed) {
            return;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
