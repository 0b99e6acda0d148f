package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Link;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalDouble;

/** Delivers messages that the outbox does not have. Used from one context only. */
record Delivery(Webhook webhook, NotifyCommand command) {
    /**
     * Attempts one delivery; the event must be readable.
     *
     * @param more earlier events that the message stands for
     * @param links of a chat's message, in place of that to the run
     */
    Future<DeliveryOutcome> attempt(NotifySpec receiver, Targets targets, Message message, int more, List<Link> links) {
        return receiver.command()
                .map(line -> command.run(line, targets, message))
                .orElseGet(() -> webhook.post(
                        receiver,
                        message,
                        message.post(receiver, OptionalDouble.empty(), more, links)
                                .orElseThrow()));
    }
}
