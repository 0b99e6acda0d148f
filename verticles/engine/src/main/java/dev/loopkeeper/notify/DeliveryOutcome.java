package dev.loopkeeper.notify;

/** Result of one delivery attempt. */
sealed interface DeliveryOutcome {
    /** The receiver accepted the event. */
    record Delivered() implements DeliveryOutcome {}

    /** The attempt failed; a later one may succeed. */
    record Failed(String reason) implements DeliveryOutcome {}

    /** The attempt failed, and so would every later one. */
    record Undeliverable(String reason) implements DeliveryOutcome {}

    /** The only instance that is needed. */
    DeliveryOutcome DELIVERED = new Delivered();
}
