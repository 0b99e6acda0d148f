package dev.loopkeeper.opentelemetry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.store.StoredEvent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The spans of one run. They follow from its events alone, with the ids that its agents have in {@code TRACEPARENT}.
 * Used by one thread at a time.
 */
final class TracedRun {
    private static final String ROOT = "";

    private final Spans spans;
    /** Begun and not ended, the execution first: by step id, ask id, or phase and unit. */
    private final Map<String, Span> open = new LinkedHashMap<>();

    private JsonNode created = MissingNode.getInstance();
    private JsonNode agents = created;
    private TraceContext position = TraceContext.begin("");
    private Optional<SpanContext> last = Optional.empty();
    private int execution;
    private long sequence;

    TracedRun(Spans spans) {
        this.spans = spans;
    }

    /** Of the last event. */
    long sequence() {
        return sequence;
    }

    boolean hasEnded() {
        return open.isEmpty() && last.isPresent();
    }

    /**
     * Begins and ends the spans of an event.
     *
     * @param send false for an event of the past: its spans are not ended again
     */
    @CanIgnoreReturnValue
    TracedRun apply(StoredEvent event, boolean send) {
        sequence = event.sequence();
        JsonNode data = event.data();
        switch (event.type()) {
            case "run.created" -> {
                created = data;
                agents = data.at("/resolved/agents");
            }
            case "run.started" -> execute(event, created.path("trace"));
            case "run.resumed" -> resume(event, data.path("request"));
            default -> {
                if (open.containsKey(ROOT)) {
                    work(event, data, send);
                }
            }
        }
        return this;
    }

    private void work(StoredEvent event, JsonNode data, boolean send) {
        switch (event.type()) {
            case "iteration.started", "item.started" -> {
                // An attempt that was interrupted ended without an event.
                end(key(data), event, send);
                begin(key(data), ROOT, unit(data), event);
            }
            case "iteration.finished", "item.finished" -> end(key(data), event, send);
            case "step.started" -> launch(event, data);
            case "step.finished" -> {
                Optional.ofNullable(open.get(step(data)))
                        .ifPresent(span -> Attribute.result(span, data.path("result")));
                end(step(data), event, send);
            }
            case "ask.opened" -> begin(data.path("askId").asText(), step(data), "ask", event);
            case "ask.closed" -> end(data.path("askId").asText(), event, send);
            case "run.paused" -> open.get(ROOT).addEvent(event.type(), Attribute.of(data), event.at());
            case "run.ended" -> {
                Attribute.termination(open.get(ROOT), data.path("termination"));
                List.copyOf(open.keySet()).forEach(key -> end(key, event, send));
            }
            default -> {}
        }
    }

    private void resume(StoredEvent event, JsonNode request) {
        JsonNode changed = request.at("/changedManifest/resolved/agents");
        agents = changed.isObject() ? changed : agents;
        if (event.data().path("newExecution").asBoolean()) {
            execute(event, request.path("trace"));
        } else if (open.containsKey(ROOT)) {
            Span root = open.get(ROOT).addEvent(event.type(), Attribute.of(event.data()), event.at());
            caller(request.path("trace")).map(Spans::contextOf).ifPresent(root::addLink);
        }
    }

    /** An execution is a child of its caller, or begins a trace. It links to the execution that it continues. */
    private void execute(StoredEvent event, JsonNode trace) {
        execution++;
        open.clear();
        String nonce = created.path("nonce").asText();
        Optional<TraceContext> caller = caller(trace);
        position = TraceContext.of(caller, nonce, execution);
        Span root = spans.begin(
                caller.map(given -> given.child(nonce + " " + execution)).orElse(position),
                caller.map(Spans::contextOf).map(Span::wrap).orElse(Span.getInvalid()),
                "invoke_workflow " + created.path("name").asText(),
                event.at(),
                Attribute.execution(created, execution));
        last.ifPresent(root::addLink);
        last = Optional.of(root.getSpanContext());
        open.put(ROOT, root);
    }

    private static Optional<TraceContext> caller(JsonNode trace) {
        return TraceContext.read(
                Optional.ofNullable(trace.path("traceparent").textValue()),
                Optional.ofNullable(trace.path("tracestate").textValue()));
    }

    /** A check is a plain command. */
    private void launch(StoredEvent event, JsonNode data) {
        String kind = data.at("/slot/kind").asText();
        String agent = data.path("agent").asText();
        boolean isCheck = kind.equals("check");
        String name =
                isCheck || kind.equals("gate") ? kind + " " + data.path("phase").asText() : "invoke_agent " + agent;
        TraceContext own = position.child(data.path("nonce").asText());
        Span span = spans.begin(own, parent(key(data)), name, event.at(), Attribute.of(data));
        open.put(
                step(data),
                span.setAllAttributes(isCheck ? Attributes.empty() : Attribute.agent(agent, agents.path(agent))));
    }

    private void begin(String key, String parent, String name, StoredEvent event) {
        TraceContext own = position.child(created.path("nonce").asText() + " " + event.sequence());
        open.put(key, spans.begin(own, parent(parent), name, event.at(), Attribute.of(event.data())));
    }

    /** The span of this key, else that of the execution. */
    private Span parent(String key) {
        return open.getOrDefault(key, open.get(ROOT));
    }

    private void end(String key, StoredEvent event, boolean send) {
        Optional.ofNullable(open.remove(key))
                .filter(span -> send)
                .ifPresent(span ->
                        span.setAllAttributes(Attribute.of(event.data())).end(event.at()));
    }

    private static String step(JsonNode data) {
        return data.path("stepId").asText();
    }

    private static String key(JsonNode data) {
        return data.path("phase").asText() + " " + unit(data);
    }

    private static String unit(JsonNode data) {
        return data.hasNonNull("item")
                ? "item " + data.path("item").asText()
                : "iteration " + data.path("iteration").asText();
    }
}
