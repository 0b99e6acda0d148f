package dev.loopkeeper.bus;

import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.Consumer;

/**
 * One address where facts of type {@code E} are published to whoever listens. Delivery is best effort.
 *
 * @param address e.g. {@code loopkeeper.processes.exited}
 */
public record EventChannel<E>(String address, Class<E> event) {
    /** Tells every listener. */
    public void publish(EventBus bus, E fact) {
        bus.publish(address, fact, new DeliveryOptions().setCodecName(RecordCodec.NAME));
    }

    /** Hears every fact until the consumer is unregistered. */
    public MessageConsumer<E> listen(EventBus bus, Consumer<E> ear) {
        return bus.consumer(address, message -> ear.accept(message.body()));
    }
}
