package dev.loopkeeper.contract;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import java.nio.file.Path;
import java.util.List;

/**
 * The files by which a reader can use the server or its database, such as the one with the tokens, of this {@link
 * Vertx}. No step in a sandbox can read them. Thread-safe.
 */
public final class SecretFiles {
    private static final String NAME = "loopkeeper.secret-files";

    private SecretFiles() {}

    /** Hides a file from the steps that are launched from now on. */
    public static void hide(Vertx vertx, Path file) {
        map(vertx).put(file.toAbsolutePath().normalize().toString(), "");
    }

    /** Returns the absolute paths of the files. */
    public static List<Path> of(Vertx vertx) {
        return map(vertx).keySet().stream().map(Path::of).toList();
    }

    private static LocalMap<String, String> map(Vertx vertx) {
        return vertx.sharedData().getLocalMap(NAME);
    }
}
