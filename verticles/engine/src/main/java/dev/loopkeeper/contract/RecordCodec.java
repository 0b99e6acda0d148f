package dev.loopkeeper.contract;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;

/** Passes records by reference. They never leave the node: its own requests to other nodes are JSON. */
public final class RecordCodec implements MessageCodec<Object, Object> {
    /** Name of the codec. */
    public static final String NAME = "loopkeeper";

    /** Registers the codec where Loopkeeper is deployed; without it messages would be lost silently. */
    public static void register(Vertx vertx) {
        try {
            vertx.eventBus().registerCodec(new RecordCodec());
        } catch (IllegalStateException alreadyThere) {
            // A second deployment into the same Vertx shares the codec.
            return;
        }
    }

    /** Delivers by reference on this node only. */
    static DeliveryOptions delivery() {
        return new DeliveryOptions().setCodecName(NAME).setLocalOnly(true);
    }

    @Override
    public void encodeToWire(Buffer buffer, Object message) {
        throw new UnsupportedOperationException("records are delivered on their own node only");
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        throw new UnsupportedOperationException("records are delivered on their own node only");
    }

    @Override
    public Object transform(Object message) {
        return message;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
