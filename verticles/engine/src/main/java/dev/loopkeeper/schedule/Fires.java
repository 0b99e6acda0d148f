package dev.loopkeeper.schedule;

import dev.loopkeeper.policy.Cron;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.FireRules;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.SharedSignalFiles;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records each fire before it does anything, so that a crash or another process repeats none. One process at a time
 * works on the fires of a schedule: the one with the duty if all see the manifest, else the one that applied it. Used
 * from one context only.
 */
final class Fires {
    private static final Logger LOG = LoggerFactory.getLogger(Fires.class);
    private final EventStore store;
    private final PolicyKeeper policies;
    private final Ownership ownership;
    private final SharedSignalFiles files;
    private final FireRuns runs;
    private final InstantSource clock;
    private final Instant begun;
    private final Map<String, Fire> applied = new HashMap<>();
    private final Map<String, Instant> since = new HashMap<>();
    private final Map<String, Optional<Instant>> next = new HashMap<>();
    /** Work on the open fires of a schedule. */
    private final Map<String, Future<Void>> work = new HashMap<>();

    private long known = -1;
    private long seen = -1;
    private Instant seenAt;
    private Future<Void> looking = Future.succeededFuture();
    private boolean shares;
    private boolean closed;

    Fires(
            EventStore store,
            PolicyKeeper policies,
            Ownership ownership,
            SharedSignalFiles files,
            FireRuns runs,
            InstantSource clock) {
        this.store = store;
        this.policies = policies;
        this.ownership = ownership;
        this.files = files;
        this.runs = runs;
        this.clock = clock;
        this.begun = clock.instant();
        this.seenAt = begun;
    }

    /** Sets whether this process fires the schedules whose manifests all processes see. */
    void share(boolean duty) {
        shares = duty;
        known = -1;
    }

    void close() {
        closed = true;
    }

    /** Completes when no work is in progress. */
    Future<Void> settled() {
        List<Future<?>> all = new ArrayList<>(work.values());
        all.add(looking);
        return Future.join(all).<Void>mapEmpty().otherwiseEmpty();
    }

    /** Records what is due, and works on the open fires. Does nothing while an earlier call is in progress. */
    void look() {
        if (closed || !looking.isComplete() || !ownership.mayAct()) {
            return;
        }
        AppliedPolicy policy = policies.current();
        looking = applications(policy)
                .compose(noted -> Future.join(policy.policy().schedules().stream()
                        .filter(this::isOwn)
                        .map(this::recordDue)
                        .toList()))
                .compose(recorded -> store.openFires())
                .onSuccess(open -> workOn(policy.policy(), open))
                .onFailure(cause -> LOG.debug("schedules cannot be checked: {}", cause.getMessage()))
                .mapEmpty();
    }

    private boolean isOwn(Schedule schedule) {
        return FireRules.isOwn(
                schedule,
                Optional.ofNullable(applied.get(schedule.name())),
                ownership.node(),
                ownership.node().isEmpty() || files.isShared(Path.of(schedule.manifest())),
                shares);
    }

    /** Reads, and where this process is to do it records, since when each schedule is as it is. */
    private Future<Void> applications(AppliedPolicy policy) {
        if (seen != policy.version()) {
            seen = policy.version();
            seenAt = clock.instant();
        }
        return known == policy.version()
                ? Future.succeededFuture()
                : store.newestTimes().compose(times -> {
                    applied.clear();
                    since.clear();
                    next.clear();
                    times.forEach(this::note);
                    Instant now = clock.instant();
                    List<Fire> changed =
                            FireRules.applications(policy.policy(), policy.version(), applied, now, ownership.node());
                    boolean records =
                            ownership.node().isEmpty() || FireRules.records(policies.isAppliedHere(), seenAt, now);
                    if (!changed.isEmpty() && !records) {
                        return Future.succeededFuture();
                    }
                    return Future.join(changed.stream()
                                    .map(change -> store.addFire(change).onSuccess(this::note))
                                    .toList())
                            .onSuccess(all -> known = policy.version())
                            .mapEmpty();
                });
    }

    private void note(Fire fire) {
        if (fire.by() == By.POLICY) {
            applied.put(fire.schedule(), fire);
        }
        since.merge(fire.schedule(), fire.at(), (one, other) -> one.isAfter(other) ? one : other);
    }

    private Future<Void> recordDue(Schedule schedule) {
        Instant now = clock.instant();
        Instant from = since.get(schedule.name());
        Optional<Instant> at = next.computeIfAbsent(
                schedule.name(),
                name -> schedule.cron()
                        .filter(cron -> schedule.enabled())
                        .flatMap(cron -> Cron.of(cron).next(from, schedule.zone())));
        if (at.isEmpty() || now.isBefore(at.get())) {
            return Future.succeededFuture();
        }
        Future<Void> all = Future.succeededFuture();
        for (Fire fire : FireRules.due(schedule, from, begun, now, ownership.node())) {
            all = all.compose(before -> store.addFire(fire)).map(recorded -> {
                note(fire);
                return null;
            });
        }
        return all.onComplete(recorded -> next.remove(schedule.name()));
    }

    /** @param open oldest first */
    private void workOn(Policy policy, List<Fire> open) {
        Map<String, List<Fire>> bySchedule = new LinkedHashMap<>();
        open.forEach(fire -> bySchedule
                .computeIfAbsent(fire.schedule(), name -> new ArrayList<>())
                .add(fire));
        bySchedule.forEach((name, fires) -> {
            Optional<Schedule> schedule = policy.schedule(name);
            boolean own = schedule.map(this::isOwn).orElse(shares);
            if (own
                    && !closed
                    && work.getOrDefault(name, Future.succeededFuture()).isComplete()) {
                work.put(name, schedule.map(present -> workOn(present, fires)).orElseGet(() -> removed(fires)));
            }
        });
        work.values().removeIf(Future::isComplete);
    }

    private Future<Void> removed(List<Fire> fires) {
        return Future.join(fires.stream()
                        .map(fire -> change(fire.with(Outcome.SKIPPED, "the policy has no such schedule any more")))
                        .toList())
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private Future<Void> workOn(Schedule schedule, List<Fire> fires) {
        Future<Void> all = Future.succeededFuture();
        for (Fire fire : fires) {
            boolean newest = fire.equals(fires.get(fires.size() - 1));
            all = all.compose(before -> store.runOfKey(fire.run().runKey()))
                    .compose(run -> run.isPresent()
                            ? change(fire.started(run.get()))
                            : runs.open(schedule.name()).compose(open -> workOn(schedule, fire, newest, open)));
        }
        return all.recover(cause -> {
            LOG.debug("schedule {} is tried again: {}", schedule.name(), cause.getMessage());
            return Future.succeededFuture();
        });
    }

    private Future<Void> workOn(Schedule schedule, Fire fire, boolean newest, Optional<String> open) {
        return switch (FireRules.next(schedule, open.isPresent(), newest)) {
            case START -> runs.start(schedule, fire).compose(this::change);
            case SKIP ->
                change(fire.with(
                        Outcome.SKIPPED,
                        newest ? "run " + open.orElseThrow() + " has not ended" : "a later fire took its turn"));
            case WAIT -> queue(fire, "waits for the end of run " + open.orElseThrow());
            case REPLACE ->
                fire.outcome() == Outcome.QUEUED
                        ? Future.succeededFuture()
                        : runs.stop(open.orElseThrow(), fire)
                                .compose(stopping ->
                                        queue(fire, "waits for the end of run " + open.get() + ", which it replaces"));
        };
    }

    private Future<Void> queue(Fire fire, String why) {
        return fire.outcome() == Outcome.QUEUED ? Future.succeededFuture() : change(fire.with(Outcome.QUEUED, why));
    }

    private Future<Void> change(Fire fire) {
        return store.changeFire(fire).map(changed -> {
            String what = changed.outcome().wire()
                    + changed.runId().map(run -> " run " + run).orElse("")
                    + changed.message().map(why -> ": " + why).orElse("");
            if (changed.outcome() == Outcome.FAILED) {
                LOG.warn("schedule {} {}", changed.schedule(), what);
                runs.failed(changed);
            } else {
                LOG.info("schedule {} {}", changed.schedule(), what);
            }
            return null;
        });
    }
}
