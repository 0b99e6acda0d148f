package dev.loopkeeper.notify;

import java.time.Duration;

/** Result of one delivery attempt. */
sealed interface DeliveryOutcome {
    /** One line for people, without secrets. */
    String text();

    /** The receiver accepted the event. */
    record Delivered(String text) implements DeliveryOutcome {}

    /**
     * The attempt failed; a later one may succeed.
     *
     * @param least the shortest time before the next one that the receiver accepts
     */
    record Failed(String text, Duration least) implements DeliveryOutcome {
        Failed(String text) {
            this(text, Duration.ZERO);
        }
    }

    /** The attempt failed, and so would every later one. */
    record Undeliverable(String text) implements DeliveryOutcome {}

    /** The environment lacks what the receiver requires, which is logged already. */
    record Unset(String text) implements DeliveryOutcome {}

    /** The command of the receiver ended well. */
    DeliveryOutcome DELIVERED = new Delivered("the command ended with exit code 0");
}
