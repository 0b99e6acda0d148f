package dev.loopkeeper.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An address where a {@code Q} is answered by an {@code A}, within one node even in a clustered Vert.x. The immutable
 * record itself is passed, and so is a {@link CodedFailure}.
 *
 * @param address e.g. {@code loopkeeper.processes.launch}
 */
public record RequestChannel<Q, A>(String address, Class<Q> question, Class<A> answer) {
    private static final Logger LOG = LoggerFactory.getLogger(RequestChannel.class);
    private static final List<String> NAMED = List.of("runId", "stepId", "role");

    /** Failure code of a handler that failed without a {@link CodedFailure}; the text is the cause's message. */
    public static final int BROKEN = 500;

    /**
     * Sends a request and waits for the answer, at most {@code patience}. Fails with the handler's
     * {@link CodedFailure}, or with a {@link ReplyException} if no handler is registered, the time is over, or the
     * handler failed unexpectedly.
     */
    public Future<A> ask(EventBus bus, Q request, Duration patience) {
        DeliveryOptions options = RecordCodec.delivery().setSendTimeout(patience.toMillis());
        return bus.<A>request(address, request, options)
                .map(Message::body)
                .recover(cause -> Future.failedFuture(cause instanceof CodedReply coded ? coded.getCause() : cause));
    }

    /** Returns whether a request failed because no handler is registered. */
    public static boolean hasNoHandler(Throwable cause) {
        return cause instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
    }

    /** Answers each request with this function; a failed future becomes a failure reply. */
    public Future<Void> serve(EventBus bus, Function<Q, Future<A>> work) {
        return serve(bus, work, (request, reply) -> {});
    }

    /** Does the same and calls {@code afterwards} once an answer is sent; not after a failure. */
    public Future<Void> serve(EventBus bus, Function<Q, Future<A>> work, BiConsumer<Q, A> afterwards) {
        MessageConsumer<Q> consumer = bus.localConsumer(address, message -> answer(message, work, afterwards));
        return consumer.completion();
    }

    private void answer(Message<Q> message, Function<Q, Future<A>> work, BiConsumer<Q, A> afterwards) {
        Future<A> answered;
        try {
            answered = work.apply(message.body());
        } catch (RuntimeException | Error broken) { // the caller must not wait for the timeout
            answered = Future.failedFuture(broken);
        }
        answered.onComplete(
                reply -> {
                    try {
                        message.reply(reply, RecordCodec.delivery());
                    } finally {
                        afterwards.accept(message.body(), reply);
                    }
                },
                cause -> refuse(message, cause));
    }

    private void refuse(Message<Q> message, Throwable cause) {
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        if (cause instanceof CodedFailure coded) {
            message.reply(new CodedReply(coded.failureCode(), text, cause));
            return;
        }
        // The handler of another channel has logged its failure reply.
        if (TransientFailure.isShutdown(cause)) {
            LOG.info("a request on {} failed, because the runtime is stopping: {}", address, text);
        } else if (!(cause instanceof ReplyException)) {
            // Only the text reaches the caller.
            LOG.error("{} failed: {}", address, about(message.body()), cause);
        }
        message.fail(BROKEN, text);
    }

    /** Carries code and text for other users of the bus, and the failure itself for callers of a channel. */
    private static final class CodedReply extends ReplyException {
        private final Throwable failure;

        private CodedReply(int code, String text, Throwable failure) {
            super(ReplyFailure.RECIPIENT_FAILURE, code, text);
            this.failure = failure;
        }

        @Override
        public synchronized Throwable getCause() {
            return failure;
        }
    }

    /**
     * Returns e.g. {@code StopStep[runId=r1, stepId=build.1.dev.1]}, without other fields, which may contain secrets.
     */
    private static String about(Object request) {
        if (request == null) {
            return "an empty request";
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
