package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.EventText;
import dev.loopkeeper.checkpoint.Json;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.StepsView;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreQuestions;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.function.Consumer;

/** What is told of a run from its events, read in pages. */
final class RunHistoryViews {
    private static final int PAGE = 500;

    private final EventBus bus;
    private final StepRunner steps;

    RunHistoryViews(EventBus bus, StepRunner steps) {
        this.bus = bus;
        this.steps = steps;
    }

    /** {@code {"steps": [...]}}, oldest first. */
    Future<JsonNode> steps(RunState state) {
        StepsView view = new StepsView(state.runId());
        return each(state.runId(), 0, event -> view.add(event.type(), event.data(), event.at(), event.execution()))
                .map(read -> view.json(stepId -> steps.pid(state.runId(), stepId)));
    }

    /** Why the run is where it is, and what may be done next. */
    Future<JsonNode> explain(RunState state) {
        ArrayNode chain = Json.MAPPER.createArrayNode();
        return each(state.runId(), 0, event -> addTo(chain, event)).map(read -> RunExplanation.of(state, chain));
    }

    private static void addTo(ArrayNode chain, StoredEvent event) {
        if (!RunExplanation.decides(event.type())) {
            return;
        }
        ObjectNode link = chain.addObject();
        link.put("sequence", event.sequence());
        link.put("at", event.at().toString());
        link.put("type", event.type());
        link.put("text", EventText.of(EventJson.read(event.type(), event.data())));
    }

    private Future<Void> each(String runId, long since, Consumer<StoredEvent> ear) {
        return StoreChannels.READ_EVENTS
                .ask(bus, new StoreQuestions.EventsOf(runId, since, PAGE), RunJournal.PATIENCE)
                .compose(page -> {
                    List<PositionedEvent> events = page.events();
                    events.forEach(positioned -> ear.accept(positioned.event()));
                    return events.size() < PAGE
                            ? Future.succeededFuture()
                            : each(runId, events.get(PAGE - 1).event().sequence(), ear);
                });
    }
}
