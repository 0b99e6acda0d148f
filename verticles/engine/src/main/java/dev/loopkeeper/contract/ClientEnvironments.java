package dev.loopkeeper.contract;

import dev.loopkeeper.work.BoundedMap;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The {@link ClientEnvironment} of the runs that have one, in this {@link Vertx}. It may hold 256 KiB for each, so those of
 * the runs that launched last are kept. Thread-safe.
 */
public final class ClientEnvironments implements Shareable {
    private static final String NAME = "loopkeeper.client-environments";
    private static final int MOST_RUNS = 100;

    private final Map<String, ClientEnvironment> byRun = Collections.synchronizedMap(BoundedMap.byUse(MOST_RUNS));

    private ClientEnvironments() {}

    /** Returns those of this Vert.x. */
    public static ClientEnvironments in(Vertx vertx) {
        LocalMap<String, ClientEnvironments> one = vertx.sharedData().getLocalMap(NAME);
        return one.computeIfAbsent(NAME, absent -> new ClientEnvironments());
    }

    /** Keeps the environment of a run. */
    public void keep(String runId, ClientEnvironment environment) {
        byRun.put(runId, environment);
    }

    /** Returns the environment of a run; empty: agents have that of this process. */
    public Optional<ClientEnvironment> of(String runId) {
        return Optional.ofNullable(byRun.get(runId));
    }

    /** Returns the runs that were submitted by steps of this run; each is returned once. */
    public List<String> takeInner(String outer) {
        synchronized (byRun) {
            List<String> inner = byRun.entrySet().stream()
                    .filter(run -> run.getValue().outer().equals(Optional.of(outer)))
                    .map(Map.Entry::getKey)
                    .toList();
            inner.forEach(runId -> byRun.computeIfPresent(
                    runId, (id, given) -> new ClientEnvironment(given.variables(), given.umask(), Optional.empty())));
            return inner;
        }
    }
}
