package dev.loopkeeper.opentelemetry;

import dev.loopkeeper.step.TraceContext;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.time.Instant;
import java.util.Map;

/** Begins spans whose ids are computed, not drawn. Used by one thread at a time. */
final class Spans implements IdGenerator {
    private static final TextMapGetter<Map<String, String>> HEADERS = Map::get;

    private TraceContext next = TraceContext.begin("");
    private TracerProvider provider = TracerProvider.noop();

    Spans of(TracerProvider other) {
        provider = other;
        return this;
    }

    @Override
    public String generateTraceId() {
        return next.traceId();
    }

    @Override
    public String generateSpanId() {
        return next.spanId();
    }

    /**
     * Begins a span.
     *
     * @param position its ids
     * @param parent invalid for the first one of a trace
     */
    Span begin(TraceContext position, Span parent, String name, Instant at, Attributes attributes) {
        next = position;
        return provider.get("dev.loopkeeper")
                .spanBuilder(name)
                .setParent(Context.root().with(parent))
                .setStartTimestamp(at)
                .setAllAttributes(attributes)
                .startSpan();
    }

    static SpanContext contextOf(TraceContext caller) {
        Map<String, String> headers = Map.of(
                "traceparent",
                caller.traceparent(),
                "tracestate",
                caller.tracestate().orElse(""));
        return Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS))
                .getSpanContext();
    }
}
