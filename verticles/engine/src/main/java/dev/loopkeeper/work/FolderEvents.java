package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports changes in folders. The operating system drops events under load and when a folder is replaced, and it may
 * have no watches left, which is logged once: a listener must also poll. Thread-safe.
 */
public final class FolderEvents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderEvents.class);
    private static final String REMEDY =
            "To have them read at once, raise fs.inotify.max_user_instances or fs.inotify.max_user_watches.";

    private final Optional<WatchService> service;
    private final Map<Path, WatchKey> keys = new ConcurrentHashMap<>();
    private final AtomicBoolean said = new AtomicBoolean();
    private final Consumer<Path> listener;

    /**
     * Follows no folder yet.
     *
     * @param listener receives the folder, on a thread of its own; must not block
     */
    public FolderEvents(Consumer<Path> listener) {
        this(listener, FileSystems.getDefault()::newWatchService);
    }

    FolderEvents(Consumer<Path> listener, Callable<WatchService> system) {
        this.listener = listener;
        this.service = opened(system);
        service.ifPresent(open -> {
            Thread thread = new Thread(() -> listen(open), "loopkeeper-folders");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private Optional<WatchService> opened(Callable<WatchService> system) {
        try {
            return Optional.of(system.call());
        } catch (Exception refused) {
            sayOnce(refused);
            return Optional.empty();
        }
    }

    /** Follows a folder, also one that was removed and created again, if the system can. Blocks. */
    public void follow(Path folder) {
        WatchKey known = keys.get(folder);
        if (service.isEmpty() || (known != null && known.isValid())) {
            return;
        }
        try {
            keys.put(
                    folder,
                    folder.register(
                            service.get(), StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY));
        } catch (IOException refused) {
            if (Files.isDirectory(folder)) {
                sayOnce(refused);
            }
        }
    }

    private void sayOnce(Exception refused) {
        if (!said.getAndSet(true)) {
            LOG.warn(
                    "signal files are read once a second, since the system watches no more folders: {}. {}",
                    refused.getMessage(),
                    REMEDY);
        }
    }

    /** Stops reporting changes of the folder. */
    public void unfollow(Path folder) {
        WatchKey key = keys.remove(folder);
        if (key != null) {
            key.cancel();
        }
    }

    private void listen(WatchService open) {
        try {
            while (true) {
                report(open.take());
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
        if (service.isPresent()) {
            service.get().close();
        }
    }
}
