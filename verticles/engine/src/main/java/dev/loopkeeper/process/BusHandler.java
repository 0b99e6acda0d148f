package dev.loopkeeper.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.handler.StepContext;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.TraceContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends steps to a handler on the event bus, as JSON.
 *
 * @param timeout of the agent; the reply may take that long
 */
record BusHandler(Vertx vertx, String address, Optional<Duration> timeout) {
    private static final Duration LONGEST = Duration.ofDays(3650);
    /** Added to the address: where a handler learns that a step is to end. */
    private static final String CANCELLED = ".cancelled";

    /** Completes with the reply; null for none. */
    Future<JsonNode> handle(StepContext step) {
        JsonObject request = request(step);
        TraceContext trace = step.trace();
        DeliveryOptions options = new DeliveryOptions()
                .setSendTimeout(timeout.orElse(LONGEST).toMillis())
                .addHeader(TraceContext.PARENT, trace.traceparent());
        trace.tracestate().ifPresent(state -> options.addHeader(TraceContext.STATE, state));
        step.cancelled().onSuccess(ends -> vertx.eventBus().publish(address + CANCELLED, request));
        return vertx.eventBus().request(address, request, options).map(BusHandler::reply);
    }

    private static JsonObject request(StepContext step) {
        ObjectNode request = Json.MAPPER.valueToTree(step.step());
        request.put("execution", step.execution())
                .put("workspace", step.workspace().toString())
                .put("feedback", step.feedback())
                .put("contextText", step.contextText());
        request.set("vars", Json.MAPPER.valueToTree(step.vars()));
        request.set("context", Json.MAPPER.valueToTree(step.context()));
        return new JsonObject(request.toString());
    }

    /** A reply that is no object becomes an invalid signal. */
    private static JsonNode reply(Message<Object> message) {
        try {
            return message.body() == null
                    ? null
                    : message.body() instanceof JsonObject object
                            ? Json.MAPPER.readTree(object.encode())
                            : Json.MAPPER
                                    .getNodeFactory()
                                    .textNode(message.body().toString());
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException(broken);
        }
    }
}
