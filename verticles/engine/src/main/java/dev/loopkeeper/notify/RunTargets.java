package dev.loopkeeper.notify;

import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Loads and caches the {@link Targets} of runs, from the first event of each. Used from one context only. */
final class RunTargets {
    private static final int MOST_KNOWN = 1000;

    private final EventStore store;
    private final Map<String, Targets> known = new LinkedHashMap<>(16, 0.75f, true);

    RunTargets(EventStore store) {
        this.store = store;
    }

    /** Returns the targets of this run; empty when the run no longer exists. */
    Future<Optional<Targets>> of(String runId) {
        Targets atHand = known.get(runId);
        return atHand != null
                ? Future.succeededFuture(Optional.of(atHand))
                : store.events(runId, 0, 1)
                        .map(found -> found.stream().findFirst().map(created -> keep(created.event())));
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
