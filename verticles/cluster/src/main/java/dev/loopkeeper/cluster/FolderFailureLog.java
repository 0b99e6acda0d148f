package dev.loopkeeper.cluster;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each failure of a data folder once until it recovers, since retries several times a second would fill the log.
 * Used on one thread.
 */
final class FolderFailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FolderFailureLog.class);

    private final Path folder;
    private final Set<String> reported = new HashSet<>();

    FolderFailureLog(Path folder) {
        this.folder = folder;
    }

    /** @param what a sentence without the reason, e.g. {@code the warden cannot be started} */
    void report(String what, Throwable cause) {
        if (reported.add(what + cause)) {
            LOG.error("{}: {}. Check the data folder {} and its disk", what, cause.toString(), folder);
        }
    }

    /** Called after a success: the next failure is logged. */
    void recovered() {
        reported.clear();
    }
}
