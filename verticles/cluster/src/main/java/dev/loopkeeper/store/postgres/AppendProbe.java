package dev.loopkeeper.store.postgres;

/** Test hook that the writer calls before each step of an append, to make that step fail. */
interface AppendProbe {
    /** Does nothing. */
    AppendProbe NONE = point -> {};

    /** Called before this step. An exception makes the step fail. */
    void before(Point point);

    /** The steps of an append. */
    enum Point {
        /** Before the statement is built: nothing has been sent. */
        STATEMENT,
        SEND,
        /** The server has answered; the writer is about to read the answer. */
        READ_ANSWER,
        /** Before a caller gets its answer; once for each durable append. */
        ANSWER
    }
}
