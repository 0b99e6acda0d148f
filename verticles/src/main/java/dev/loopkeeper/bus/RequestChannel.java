package dev.loopkeeper.bus;

import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One address where a {@code Q} is asked and an {@code A} is answered. Locally the immutable record itself is handed
 * over; between nodes it travels as JSON.
 *
 * @param address e.g. {@code loopkeeper.processes.launch}
 */
public record RequestChannel<Q, A>(String address, Class<Q> question, Class<A> answer) {
    /** Failure code of a handler that broke in no {@link CodedFailure} way; the text is the cause's message. */
    public static final int BROKEN = 500;

    /** Asks and waits for the answer, at most {@code patience}. Fails with a {@link ReplyException}. */
    public Future<A> ask(EventBus bus, Q request, Duration patience) {
        DeliveryOptions options =
                new DeliveryOptions().setCodecName(RecordCodec.NAME).setSendTimeout(patience.toMillis());
        return bus.<A>request(address, request, options).map(Message::body);
    }

    /** Answers every question with this function; a failed future becomes a failure reply. */
    public Future<Void> serve(EventBus bus, Function<Q, Future<A>> work) {
        return serve(bus, work, (request, reply) -> {});
    }

    /** The same, and does {@code afterwards} once an answer is sent; not after a failure. */
    public Future<Void> serve(EventBus bus, Function<Q, Future<A>> work, BiConsumer<Q, A> afterwards) {
        MessageConsumer<Q> consumer = bus.consumer(address, message -> answer(message, work, afterwards));
        return consumer.completion();
    }

    private void answer(Message<Q> message, Function<Q, Future<A>> work, BiConsumer<Q, A> afterwards) {
        DeliveryOptions options = new DeliveryOptions().setCodecName(RecordCodec.NAME);
        Future<A> answered;
        try {
            answered = work.apply(message.body());
        } catch (RuntimeException broken) {
            answered = Future.failedFuture(broken);
        }
        answered.onComplete(
                reply -> {
                    message.reply(reply, options);
                    afterwards.accept(message.body(), reply);
                },
                cause -> refuse(message, cause));
    }

    private static void refuse(Message<?> message, Throwable cause) {
        int code = cause instanceof CodedFailure coded ? coded.failureCode() : BROKEN;
        message.fail(code, cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
}
