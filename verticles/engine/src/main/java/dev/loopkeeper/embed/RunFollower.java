package dev.loopkeeper.embed;

/** Somebody who waits for what becomes of one run. Called on one event loop. */
interface RunFollower {
    String runId();

    /** An event of this run, of this type, is in the store. */
    void happened(String type);

    /** Nothing more will be told. */
    void closed();
}
