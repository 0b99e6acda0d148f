package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.run.OpenSteps;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up runs that were an earlier runtime's or another node's, and those of which nobody knows whether they were
 * created, as soon as the store answers. Used from one context only.
 */
final class RunIntake {
    private static final Logger LOG = LoggerFactory.getLogger(RunIntake.class);

    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final RunActors actors;
    private final SignalClaims signals;
    private final RunRoom room;
    private final Set<String> unreadable = new HashSet<>();
    private int entering;

    RunIntake(Vertx vertx, RunActors actors, SignalClaims signals, RunRoom room) {
        this.vertx = vertx;
        this.actors = actors;
        this.signals = signals;
        this.room = room;
    }

    /** Does this work, which may make a run; nothing is settled meanwhile. */
    <T> Future<T> entering(Supplier<Future<T>> work) {
        entering++;
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(over -> entering--);
    }

    /** Whether a run may be about to come. */
    boolean isEntering() {
        return entering > 0 || actors.isLoading();
    }

    /** Carries these on from now on, and says which cannot be read. */
    Future<List<String>> takeUp(List<String> runIds, boolean moved) {
        List<Future<Boolean>> taken = runIds.stream()
                .map(runId -> entering(() -> recover(runId, moved)).map(true).otherwise(cause -> {
                    notTakenUp(runId, moved, cause);
                    return false;
                }))
                .toList();
        return Future.join(taken).map(all -> {
            room.fillSoon();
            return IntStream.range(0, runIds.size())
                    .filter(index -> !taken.get(index).result())
                    .mapToObj(runIds::get)
                    .toList();
        });
    }

    /** Lets an open run of an earlier runtime go on. Completes when what that means is durable; empty: it is gone. */
    Future<Optional<Decision>> recover(String runId) {
        return recover(runId, false);
    }

    private Future<Optional<Decision>> recover(String runId, boolean moved) {
        return actors.find(runId)
                .compose(run -> run.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : recover(run.get(), moved).map(Optional::of));
    }

    /** What it has is known before anybody else may ask for it. */
    private Future<Decision> recover(RunActor run, boolean moved) {
        RunInput input = new RunInput.Recover(Instants.now(), moved);
        Future<Void> known =
                RunSlots.holds(run.state().condition()) ? signals.look(run.state(), input) : Future.succeededFuture();
        // Whose node was lost must not go on without knowing it, however long the store is away meanwhile.
        return known.compose(looked -> moved ? run.report(input) : run.ask(input));
    }

    /**
     * This run cannot be read, so what of it is open is unknown. It is tried again, if it is still ours: soon where the
     * store is unavailable, and now and then where it was read and refused, which a person may have repaired by then.
     */
    void notTakenUp(String runId, boolean moved, Throwable cause) {
        boolean first = unreadable.add(runId);
        boolean unavailable = cause instanceof StoreUnavailableException;
        if (unavailable) {
            LOG.warn("run {} is taken up when the store answers: {}", runId, cause.getMessage());
        } else if (first) {
            LOG.error("run {} cannot be taken up and is tried again every minute", runId, cause);
        }
        int asked = actors.era();
        Duration pause = unavailable ? StoreRetry.AGAIN_AFTER : AFTER_REFUSAL;
        vertx.setTimer(pause.toMillis(), fired -> {
            if (asked == actors.era() && !room.isClosed()) {
                entering(() -> recover(runId, moved))
                        .onSuccess(known -> {
                            unreadable.remove(runId);
                            room.fillSoon();
                        })
                        .onFailure(again -> {
                            if (asked == actors.era()) {
                                notTakenUp(runId, moved, again);
                            }
                        });
            }
        });
    }

    /** Whether this run was created nobody knows: if it was, it goes on as soon as the store answers. */
    void takeUpIfCreated(String runId) {
        vertx.setTimer(StoreRetry.AGAIN_AFTER.toMillis(), fired -> {
            if (actors.loaded(runId).isEmpty() && !room.isClosed()) {
                entering(() -> recover(runId))
                        .onSuccess(known -> room.fillSoon())
                        .onFailure(cause -> stillUnknown(runId, cause));
            }
        });
    }

    private void stillUnknown(String runId, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            takeUpIfCreated(runId);
        } else {
            LOG.error("run {} cannot be taken up", runId, cause);
        }
    }

    /** The open steps of this run, or of all. A run that is not loaded is at rest and has none, unless it cannot be read. */
    OpenSteps openSteps(Optional<String> runId) {
        Stream<RunActor> asked = runId.map(id -> actors.loaded(id).stream()).orElseGet(() -> actors.all().stream());
        Set<String> steps = asked.flatMap(
                        run -> run.state().steps().keySet().stream().map(stepId -> run.runId() + "/" + stepId))
                .collect(Collectors.toSet());
        return new OpenSteps(steps, Set.copyOf(unreadable));
    }

    /** What could not be read is another's to read by now. */
    void dropAll() {
        unreadable.clear();
    }
}
