package dev.loopkeeper.notify;

import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreQuestions;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The {@link Targets} of runs, from the first event of each. Used from one context only. */
final class RunTargets {
    private static final int MOST_KNOWN = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Map<String, Targets> known = new LinkedHashMap<>(16, 0.75f, true);

    RunTargets(EventBus bus) {
        this.bus = bus;
    }

    /** Those of the event's run, if they are at hand. */
    Optional<Targets> known(StoredEvent event) {
        if (event.sequence() == 1) {
            return Optional.of(keep(event));
        }
        return Optional.ofNullable(known.get(event.runId()));
    }

    /** Those of this run; empty when there is no such run any more. */
    Future<Optional<Targets>> of(String runId) {
        Targets atHand = known.get(runId);
        return atHand != null
                ? Future.succeededFuture(Optional.of(atHand))
                : event(runId, 1).map(created -> created.map(this::keep));
    }

    /** One event of a run; empty when there is no such event any more. */
    Future<Optional<StoredEvent>> event(String runId, long sequence) {
        return StoreChannels.READ_EVENTS
                .ask(bus, new StoreQuestions.EventsOf(runId, sequence - 1, 1), PATIENCE)
                .map(found -> found.events().stream()
                        .map(positioned -> positioned.event())
                        .filter(event -> event.sequence() == sequence)
                        .findFirst());
    }

    private Targets keep(StoredEvent created) {
        Targets targets = Targets.of(created);
        known.put(created.runId(), targets);
        if (known.size() > MOST_KNOWN) {
            known.remove(known.keySet().iterator().next());
        }
        return targets;
    }
}
