package dev.loopkeeper.bus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One address where a {@code Q} is asked and an {@code A} is answered. Locally the immutable record itself is handed
 * over; between nodes it travels as JSON.
 *
 * @param address e.g. {@code loopkeeper.processes.launch}
 */
public record RequestChannel<Q, A>(String address, Class<Q> question, Class<A> answer) {
    private static final Logger LOG = LoggerFactory.getLogger(RequestChannel.class);
    private static final List<String> NAMED = List.of("runId", "stepId", "role");

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

    private void refuse(Message<Q> message, Throwable cause) {
        if (isUnexpected(cause)) {
            // Only its text reaches the asker.
            LOG.error("{} failed: {}", address, about(message.body()), cause);
        }
        int code = cause instanceof CodedFailure coded ? coded.failureCode() : BROKEN;
        message.fail(code, cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }

    /** A failure reply of another channel was logged where it arose. */
    private static boolean isUnexpected(Throwable cause) {
        return !(cause instanceof CodedFailure) && !(cause instanceof ReplyException);
    }

    /** E.g. {@code StopStep[runId=r1, stepId=build.1.dev.1]}; nothing else of a request, which may hold secrets. */
    private static String about(Object request) {
        if (request == null) {
            return "nothing was asked";
        }
        StringJoiner names = new StringJoiner(", ", request.getClass().getSimpleName() + "[", "]");
        JsonNode asked = asTree(request);
        for (String name : NAMED) {
            JsonNode own = asked.path(name);
            JsonNode value = own.isTextual() ? own : asked.path("step").path(name);
            if (value.isTextual()) {
                names.add(name + "=" + value.asText());
            }
        }
        return names.toString();
    }

    private static JsonNode asTree(Object request) {
        try {
            return Json.MAPPER.valueToTree(request);
        } catch (IllegalArgumentException unwritable) {
            return MissingNode.getInstance();
        }
    }
}
