package dev.loopkeeper.notify;

/** What became of one try. */
sealed interface Outcome {
    /** The receiver has it. */
    record Delivered() implements Outcome {}

    /** It may succeed later. */
    record Failed(String reason) implements Outcome {}

    /** It never will. */
    record Hopeless(String reason) implements Outcome {}

    /** No more to say than that. */
    Outcome DELIVERED = new Delivered();
}
