package dev.loopkeeper.notify;

import java.time.Duration;

/** Result of one delivery attempt. */
sealed interface DeliveryOutcome {
    /** The receiver accepted the event. */
    record Delivered(String answer) implements DeliveryOutcome {}

    /**
     * The attempt failed; a later one may succeed.
     *
     * @param least the shortest time before the next one that the receiver accepts
     */
    record Failed(String reason, Duration least) implements DeliveryOutcome {
        Failed(String reason) {
            this(reason, Duration.ZERO);
        }
    }

    /** The attempt failed, and so would every later one. */
    record Undeliverable(String reason) implements DeliveryOutcome {}

    /** The environment lacks what the receiver requires, which is logged already. */
    record Unset(String reason) implements DeliveryOutcome {}

    /** The command of the receiver ended well. */
    DeliveryOutcome DELIVERED = new Delivered("the command ended with exit code 0");
}
