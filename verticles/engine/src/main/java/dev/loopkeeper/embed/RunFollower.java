package dev.loopkeeper.embed;

import io.vertx.core.Future;

/** Follows one run. Called on one event loop. */
interface RunFollower {
    String runId();

    /** An event of this type of the run was stored. */
    void happened(String type);

    /** Reads the run once more before the shutdown; events during the read still count. */
    Future<?> readAgain();

    /** No more calls follow. */
    void closed();
}
