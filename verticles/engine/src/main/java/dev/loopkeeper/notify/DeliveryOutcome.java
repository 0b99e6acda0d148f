package dev.loopkeeper.notify;

/** What became of one try. */
sealed interface DeliveryOutcome {
    /** The receiver has it. */
    record Delivered() implements DeliveryOutcome {}

    /** It may succeed later. */
    record Failed(String reason) implements DeliveryOutcome {}

    /** It never will. */
    record Hopeless(String reason) implements DeliveryOutcome {}

    /** No more to say than that. */
    DeliveryOutcome DELIVERED = new Delivered();
}
