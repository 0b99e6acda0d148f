package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Link;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalDouble;

/** Delivers messages. Used from one context only. */
record Delivery(Webhook webhook, NotifyCommand command) {
    /**
     * Attempts one delivery.
     *
     * @param costUsd of the run so far, for a chat's message
     * @param more earlier events that the message stands for
     * @param links of a chat's message, in place of that to the run
     */
    Future<DeliveryOutcome> attempt(
            NotifySpec receiver, Targets targets, Message message, OptionalDouble costUsd, int more, List<Link> links) {
        if (receiver.command().isPresent()) {
            return command.run(receiver.command().get(), targets, message);
        }
        return message.post(receiver, costUsd, more, links)
                .map(post -> webhook.post(receiver, message, post))
                .orElseGet(() -> Future.succeededFuture(
                        new DeliveryOutcome.Undeliverable("the event cannot be read by this version")));
    }
}
