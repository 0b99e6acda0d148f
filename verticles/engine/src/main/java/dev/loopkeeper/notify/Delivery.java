package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalDouble;

/** Delivers messages that the outbox does not have. Used from one context only. */
record Delivery(Webhook webhook, NotifyCommand command) {
    /** Attempts one delivery; the event must be readable. */
    Future<DeliveryOutcome> attempt(NotifySpec receiver, Targets targets, Message message) {
        return receiver.command()
                .map(line -> command.run(line, targets, message))
                .orElseGet(() -> webhook.post(
                        receiver,
                        message,
                        message.post(receiver, OptionalDouble.empty(), 0, Optional.empty())
                                .orElseThrow()));
    }
}
