package dev.loopkeeper.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.opentelemetry.RecordedSpans.History;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SpanVerticleTest {
    private final List<StoredEvent> events = history();

    private static List<StoredEvent> history() {
        History history = new History();
        for (int iteration = 1; iteration <= 3; iteration++) {
            String step = "s-" + iteration;
            history.add(new IterationStarted("build", iteration, 1))
                    .launched(step, StepKind.LOOP, Optional.of(iteration), Optional.empty())
                    .exited(step)
                    .add("iteration.finished", "{'phase':'build','iteration':" + iteration + "}");
        }
        return history.ended().events;
    }

    /** The store of all nodes. */
    private EventStore store() {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (self, method, words) -> {
                    EventQuery query = (EventQuery) words[0];
                    return Future.succeededFuture(events.stream()
                            .filter(event -> event.sequence() > query.after() && event.sequence() < query.before())
                            .limit(query.limit().orElseThrow())
                            .map(event -> new PositionedEvent(event.sequence(), event))
                            .toList());
                });
    }

    /** A process that executes runs. */
    private final class Node implements AutoCloseable {
        final RecordedSpans recorded = new RecordedSpans();
        private final Vertx vertx = Vertx.vertx();

        Node() {
            RecordCodec.register(vertx);
            done(vertx.deployVerticle(new SpanVerticle(store(), recorded.spans())));
        }

        /** Appends these events; waits for a span that the last of them ends. */
        void appends(int first, int last, String until) {
            events.subList(first - 1, last)
                    .forEach(event -> StoreChannels.OWN_EVENTS.publish(
                            vertx.eventBus(), new PositionedEvent(event.sequence(), event)));
            Awaitility.await(until)
                    .until(() -> recorded.sent.stream()
                            .anyMatch(span -> span.getName().equals(until)));
        }

        @Override
        public void close() {
            done(vertx.close());
        }
    }

    private static void done(Future<?> future) {
        future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
    }

    private static Stream<String> facts(Node node) {
        return node.recorded.sent.stream()
                .map(span -> String.join(
                        " ",
                        span.getTraceId(),
                        span.getSpanId(),
                        span.getParentSpanId(),
                        span.getName(),
                        String.valueOf(span.getStartEpochNanos()),
                        String.valueOf(span.getEndEpochNanos()),
                        span.getAttributes().toString()));
    }

    /** The first event that the second node appends, e.g. the end of a step that the first one launched. */
    @Test
    void aTakeoverContinuesTheTraceAndSendsNoSpanTwice() {
        try (Node whole = new Node();
                Node lost = new Node();
                Node second = new Node()) {
            whole.appends(1, 15, "invoke_workflow traced");
            lost.appends(1, 8, "iteration 1");
            second.appends(9, 15, "invoke_workflow traced");

            assertThat(second.recorded.sent).extracting(SpanData::getTraceId).containsOnly(RecordedSpans.TRACE);
            assertThat(Stream.concat(facts(lost), facts(second)))
                    .containsExactlyInAnyOrderElementsOf(facts(whole).toList());
        }
    }

    @Test
    void aRunThatComesBackToItsFirstNodeIsStillOneTrace() {
        try (Node whole = new Node();
                Node first = new Node();
                Node second = new Node()) {
            whole.appends(1, 15, "invoke_workflow traced");
            first.appends(1, 8, "iteration 1");
            second.appends(9, 12, "iteration 2");
            first.appends(13, 15, "invoke_workflow traced");

            assertThat(Stream.concat(facts(first), facts(second)))
                    .containsExactlyInAnyOrderElementsOf(facts(whole).toList());
        }
    }
}
