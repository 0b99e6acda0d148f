package dev.loopkeeper.embed;

import java.nio.file.Path;

/** This Vert.x has a Loopkeeper already: a second needs a Vert.x of its own. Nothing was changed. */
public final class VertxInUseException extends RuntimeException {
    private final transient Path dataFolder;

    VertxInUseException(Path dataFolder) {
        super("this Vertx has a Loopkeeper already, with the data folder " + dataFolder
                + ". Close that one first, or start another in a Vertx of its own.");
        this.dataFolder = dataFolder;
    }

    /** Of the one that is there. */
    public Path dataFolder() {
        return dataFolder;
    }
}
