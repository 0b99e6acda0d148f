package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.view.Explanation;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Explains runs by their state and their newest events, which are parsed on a worker. */
public final class Explanations {
    private final Vertx vertx;
    private final EventPages events;

    /** Reads from this store. */
    public Explanations(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.events = new EventPages(store);
    }

    /** Explains the state of a run and its next actions. */
    public Future<Explanation> of(RunState state) {
        EventQuery newest =
                EventQuery.newest(state.runId(), RunExplanation.LINKS, state.sequence() + 1, RunExplanation.MOST_LINKS);
        List<Explanation.Link> chain = new ArrayList<>();
        return events.each(newest, part -> vertx.executeBlocking(() -> add(chain, part), false))
                .map(read -> {
                    Collections.reverse(chain);
                    return RunExplanation.of(state, chain);
                });
    }

    private static boolean add(List<Explanation.Link> chain, List<PositionedEvent> part) {
        part.stream()
                .map(PositionedEvent::event)
                .forEach(event -> RunExplanation.link(event.sequence(), event.at(), event.type(), event.data())
                        .ifPresent(chain::add));
        return true;
    }
}
