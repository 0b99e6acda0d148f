package dev.loopkeeper.cli.session;

import dev.loopkeeper.data.FileId;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Watches the store and the lock of an owned data folder. SQLite itself continues to write to a deleted file. */
record FolderWatch(Vertx vertx, Map<Path, Optional<FileId>> files, Consumer<Path> lost) {
    private static final long INTERVAL_MILLIS = 1_000;

    /**
     * Watches the files that exist now until the Vertx closes.
     *
     * @param lost receives the first file that was deleted or replaced, once, on a thread of its own
     */
    static void start(Vertx vertx, Path folder, Consumer<Path> lost) {
        Map<Path, Optional<FileId>> files = Stream.of("events.db", "owner.lock")
                .map(folder::resolve)
                .filter(Files::exists)
                .collect(Collectors.toMap(path -> path, FileId::of));
        new FolderWatch(vertx, files, lost).later();
    }

    private void later() {
        vertx.timer(INTERVAL_MILLIS)
                .compose(due -> vertx.executeBlocking(this::check, false)) // a Vertx that closes takes no more work
                .onSuccess(found -> {
                    if (!found) {
                        later();
                    }
                });
    }

    private boolean check() {
        Optional<Path> gone =
                files.keySet().stream().filter(this::isGone).sorted().findFirst();
        gone.ifPresent(path -> new Thread(() -> lost.accept(path), "loopkeeper-exit").start());
        return gone.isPresent();
    }

    /** A file that cannot be examined, e.g. on an unavailable disk, may still be the same. */
    private boolean isGone(Path path) {
        Optional<FileId> now = FileId.of(path);
        return now.isPresent() ? !now.equals(files.get(path)) : Files.notExists(path);
    }
}
