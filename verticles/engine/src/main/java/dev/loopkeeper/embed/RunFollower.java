package dev.loopkeeper.embed;

import io.vertx.core.Future;

/** Somebody who waits for what becomes of one run. Called on one event loop. */
interface RunFollower {
    String runId();

    /** An event of this run, of this type, is in the store. */
    void happened(String type);

    /** Looks once more, since the end is near; what it is told meanwhile counts. */
    Future<?> lookAgain();

    /** Nothing more will be told. */
    void closed();
}
