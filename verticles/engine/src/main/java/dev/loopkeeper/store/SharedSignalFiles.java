package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Port: which run uses a signal file that several processes see. An active run keeps the files that it took, also when
 * another process executes it; a paused or ended run does not use them. Each method may fail with
 * {@link StoreUnavailableException}; then the caller does not know whether the change was made. Any thread.
 */
public interface SharedSignalFiles {
    /** The signal files of a process that does not share the store. */
    static SharedSignalFiles none() {
        return new SharedSignalFiles() {};
    }

    /**
     * Takes all these files for a run whose next event may make it active, or none of them if another run uses one.
     *
     * @param sequence number of the run's last event; 0 for a run that is about to be created
     * @param identities see {@link dev.loopkeeper.run.step.SignalClaim}
     * @return the other runs that use these files, by identity; empty if the files were taken
     */
    default Future<Map<String, String>> take(String runId, long sequence, Set<String> identities) {
        return Future.succeededFuture(Map.of());
    }

    /** Returns whether every process that shares the store sees this file. */
    default boolean isShared(Path file) {
        return true;
    }

    /** Releases what this process took for a run that did not become active. */
    default Future<Void> release(String runId) {
        return Future.succeededFuture();
    }
}
