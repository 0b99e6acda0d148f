package dev.loopkeeper.store.postgres;

/** Stands where appends happen, for tests that let one of the steps break. */
interface AppendProbe {
    /** Lets everything pass. */
    AppendProbe NONE = point -> {};

    /** The writer is about to do this; may throw. */
    void before(Point point);

    /** What an append of several runs consists of. */
    enum Point {
        /** Nothing has left this process. */
        STATEMENT,
        SEND,
        /** The server has answered; its answer is about to be read. */
        READ_ANSWER,
        /** Once for each append that is durable. */
        ANSWER
    }
}
