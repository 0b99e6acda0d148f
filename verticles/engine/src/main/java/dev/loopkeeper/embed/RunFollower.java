package dev.loopkeeper.embed;

import io.vertx.core.Future;

/** Follows one run, or all. Called on one event loop. */
interface RunFollower {
    /** Whether it follows this run. */
    boolean follows(String runId);

    /** An event of this type of the run was stored. */
    void happened(String type);

    /** Reads the run once more before the shutdown; events during the read still count. */
    Future<?> readAgain();

    /** No more calls follow. */
    void closed();
}
