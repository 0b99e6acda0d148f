package dev.loopkeeper.contract;

import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;

/**
 * An address where events of type {@code E} are published to listeners on the same node. Delivery is best effort.
 *
 * @param address e.g. {@code loopkeeper.processes.exited}
 */
public record EventChannel<E>(String address) {
    /** Publishes an event to all listeners. */
    public void publish(EventBus bus, E fact) {
        bus.publish(address, fact, RecordCodec.delivery());
    }

    /** Receives every event until the consumer is unregistered. */
    public MessageConsumer<E> listen(EventBus bus, Consumer<E> listener) {
        return bus.localConsumer(address, message -> listener.accept(message.body()));
    }
}
