package dev.loopkeeper.embed;

import java.nio.file.Path;

/** Reports that the Vert.x already has a Loopkeeper: a second requires another Vert.x. Nothing was changed. */
public final class VertxInUseException extends RuntimeException {
    private final transient Path dataFolder;

    VertxInUseException(Path dataFolder) {
        super("this Vertx has a Loopkeeper already, with the data folder " + dataFolder
                + ". Close that one first, or start another in a Vertx of its own.");
        this.dataFolder = dataFolder;
    }

    /** Returns the data folder of the existing Loopkeeper. */
    public Path dataFolder() {
        return dataFolder;
    }
}
