package dev.loopkeeper.opentelemetry;

import dev.loopkeeper.store.EventPages;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the events that this process appends to the spans of their runs. */
final class SpanVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(SpanVerticle.class);
    /** Further runs are read again from the store at their next event. */
    private static final int MOST_RUNS = 1000;

    private final EventStore store;
    private final Spans spans;
    private final Map<String, Future<TracedRun>> runs = new LinkedHashMap<>();

    SpanVerticle(EventStore store, Spans spans) {
        this.store = store;
        this.spans = spans;
    }

    @Override
    public Future<?> start() {
        return StoreChannels.OWN_EVENTS.listen(vertx.eventBus(), this::follow).completion();
    }

    private void follow(PositionedEvent positioned) {
        StoredEvent event = positioned.event();
        Future<TracedRun> before = runs.remove(event.runId());
        Future<TracedRun> run = (before == null ? Future.succeededFuture(new TracedRun(spans)) : before)
                .compose(traced -> upTo(event, traced))
                .map(traced -> traced.apply(event, true));
        runs.put(event.runId(), run);
        run.onComplete(done -> {
            if (done.failed()) {
                LOG.warn(
                        "The spans of run {} are incomplete: {}",
                        event.runId(),
                        done.cause().getMessage());
            }
            if (done.failed() || done.result().hasEnded()) {
                runs.remove(event.runId(), run);
            }
        });
        if (runs.size() > MOST_RUNS) {
            runs.remove(runs.keySet().iterator().next());
        }
    }

    /** The run as it was before this event. Other processes sent the spans that ended in the events it has not seen. */
    private Future<TracedRun> upTo(StoredEvent event, TracedRun run) {
        long missed = event.sequence() - run.sequence() - 1;
        if (missed == 0) {
            return Future.succeededFuture(run);
        }
        EventQuery between =
                EventQuery.between(event.runId(), Set.of(), run.sequence(), event.sequence(), (int) missed);
        return new EventPages(store)
                .each(between, page -> {
                    page.forEach(stored -> run.apply(stored.event(), false));
                    return Future.succeededFuture(true);
                })
                .map(run);
    }
}
