package dev.loopkeeper.opentelemetry;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunStarted;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredText;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The spans that one process sent, and the events from which tests make them. */
final class RecordedSpans implements SpanExporter {
    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

    final List<SpanData> sent = new CopyOnWriteArrayList<>();
    private final Spans spans = new Spans();

    Spans spans() {
        return spans.of(SdkTracerProvider.builder()
                .setIdGenerator(spans)
                .addSpanProcessor(SimpleSpanProcessor.create(this))
                .build());
    }

    /** The sent span of this name. */
    SpanData only(String name) {
        List<SpanData> found =
                sent.stream().filter(span -> span.getName().equals(name)).toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " spans " + name + " among " + sent);
        }
        return found.get(0);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> more) {
        sent.addAll(more);
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }

    /** The events of a run that a caller within {@link #TRACE} started, one a second. */
    static final class History {
        final List<StoredEvent> events = new ArrayList<>();

        History() {
            add(
                    "run.created",
                    "{'runId':'one-1','name':'traced','nonce':'n','trace':{'traceparent':'00-" + TRACE
                            + "-00f067aa0ba902b7-01'}}");
            add(new RunStarted());
        }

        @CanIgnoreReturnValue
        History add(RunEvent event) {
            return add(EventTypes.of(event), EventJson.write(event).toString());
        }

        @CanIgnoreReturnValue
        History launched(String stepId, StepKind kind, Optional<Integer> iteration, Optional<String> item) {
            StepPosition position = new StepPosition(kind, "build", iteration, item, 0);
            return add(new StepStarted(stepId, "dev", 1, "of " + stepId, position, Optional.empty(), Optional.empty()));
        }

        @CanIgnoreReturnValue
        History exited(String stepId) {
            return add("step.finished", "{'stepId':'" + stepId + "','result':{'status':'success'}}");
        }

        @CanIgnoreReturnValue
        History ended() {
            return add("run.ended", "{'termination':{'subtype':'stop','success':true}}");
        }

        /** @param data with single quotes */
        @CanIgnoreReturnValue
        History add(String type, String data) {
            int sequence = events.size() + 1;
            events.add(new StoredEvent(
                    "one-1", sequence, BEGIN.plusSeconds(sequence), type, 1, StoredText.json(data.replace('\'', '"'))));
            return this;
        }
    }
}
