package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thousand events that are read for an explanation would keep an event loop from its steps for a tenth of a second. */
class RunHistoryViewsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33Z");

    private final Vertx vertx = Vertx.vertx();
    private final List<Boolean> readOnALoop = new CopyOnWriteArrayList<>();

    /** Notes who reads it. */
    @SuppressWarnings("unchecked") // Jackson's own narrowing of a generic method
    private final class WatchedNode extends ObjectNode {
        WatchedNode() {
            super(JsonNodeFactory.instance);
        }

        @Override
        public JsonNode path(String propertyName) {
            readOnALoop.add(Context.isOnEventLoopThread());
            return super.path(propertyName);
        }
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    @Test
    void explanationsAreWorkedOutOnAWorker() throws Exception {
        ObjectNode notice = new WatchedNode().put("code", "said").put("message", "hello");

        RunAnswer answer = asked(notice("notice", notice), views -> views.explain(state()));

        assertThat(answer.document().orElseThrow().at("/chain/0/type").asText()).isEqualTo("notice");
        assertThat(readOnALoop).isNotEmpty().containsOnly(false);
    }

    @Test
    void stepsAreWorkedOutOnAWorker() throws Exception {
        ObjectNode started = new WatchedNode();
        JsonNode fields = Json.MAPPER.readTree("{\"stepId\":\"work.a.1\",\"phase\":\"work\",\"iteration\":null,"
                + "\"item\":null,\"agent\":\"a\",\"attempt\":1,\"nonce\":\"n\","
                + "\"slot\":{\"kind\":\"task\",\"phase\":\"work\",\"iteration\":null,\"item\":null,\"index\":0},"
                + "\"formatVersion\":1}");
        fields.properties().forEach(field -> started.set(field.getKey(), field.getValue()));

        ListSteps oldest = new ListSteps("r1", OptionalLong.of(0), OptionalLong.empty(), 10);
        StepPage page = asked(notice("step.started", started), views -> views.steps(oldest));

        assertThat(page.steps()).extracting(Step::stepId).containsExactly("work.a.1");
        assertThat(readOnALoop).isNotEmpty().containsOnly(false);
    }

    private static StoredEvent notice(String type, ObjectNode data) {
        return new StoredEvent("r1", 1, NOW, type, 1, data);
    }

    private <T> T asked(StoredEvent event, Function<RunHistoryViews, Future<T>> question) throws Exception {
        EventStore store = (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, arguments) -> {
                    boolean asked = arguments[0] instanceof EventQuery query && query.after() < 1 && query.before() > 1;
                    return Future.succeededFuture(asked ? List.of(new PositionedEvent(1, event)) : List.of());
                });
        OpenedSteps steps = new OpenedSteps();
        Promise<T> answer = Promise.promise();
        vertx.runOnContext(
                asking -> question.apply(new RunHistoryViews(vertx, store, steps, Workers.of(vertx, "histories", 1)))
                        .onComplete(answer));
        return answer.future().await(60, TimeUnit.SECONDS);
    }

    private static RunState state() {
        return ActorSamples.created("r1", "{\"name\": \"work\", \"task\": \"a\"}")
                .state();
    }
}
