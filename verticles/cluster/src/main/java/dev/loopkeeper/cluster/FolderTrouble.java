package dev.loopkeeper.cluster;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of a data folder fails is told once, until it was seen to go again: what is tried anew some times a second would
 * fill the log. One thread.
 */
final class FolderTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(FolderTrouble.class);

    private final Path folder;
    private final Set<String> told = new HashSet<>();

    FolderTrouble(Path folder) {
        this.folder = folder;
    }

    /** @param what a sentence without its reason, e.g. {@code the warden cannot be started} */
    void tell(String what, Throwable cause) {
        if (told.add(what + cause)) {
            LOG.error("{}: {}. Look at the data folder {} and its disk", what, cause.toString(), folder);
        }
    }

    /** It was seen to go. */
    void over() {
        told.clear();
    }
}
