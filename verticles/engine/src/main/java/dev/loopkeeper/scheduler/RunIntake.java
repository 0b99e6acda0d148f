package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers runs of an earlier runtime or another node, and runs whose creation is uncertain, as soon as the store
 * answers. Used from one context only.
 */
final class RunIntake {
    private static final Logger LOG = LoggerFactory.getLogger(RunIntake.class);

    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

    private final Scheduler scheduler;
    private final RunActors actors;
    private final Set<String> unreadable = new HashSet<>();
    private int admitting;

    RunIntake(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.actors = scheduler.actors;
    }

    /** Runs work that may create a run; the runtime is not settled before it completes. */
    <T> Future<T> admit(Supplier<Future<T>> work) {
        admitting++;
        return Future.succeededFuture().compose(begun -> work.get()).onComplete(over -> admitting--);
    }

    /** Whether a run may be about to appear. */
    boolean isAdmitting() {
        return admitting > 0 || actors.isLoading();
    }

    /** Recovers these runs; those that cannot be read are tried again. */
    Future<Void> recoverAll(List<String> runIds, boolean moved) {
        return Future.join(runIds.stream()
                        .map(runId -> admit(() -> recover(runId, moved)).otherwise(cause -> {
                            recoveryFailed(runId, moved, cause);
                            return Optional.empty();
                        }))
                        .toList())
                .onSuccess(all -> scheduler.capacity.fillSoon())
                .mapEmpty();
    }

    /**
     * Recovers an open run of an earlier runtime. Completes when the decision is durable; empty where the run no longer
     * exists.
     */
    Future<Optional<Decision>> recover(String runId) {
        return recover(runId, false);
    }

    private Future<Optional<Decision>> recover(String runId, boolean moved) {
        return actors.find(runId)
                .compose(run -> run.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : recover(run.get(), moved).map(Optional::of));
    }

    /** Resolves the run's signal files before another run may claim them. */
    private Future<Decision> recover(RunActor run, boolean moved) {
        RunInput input = new RunInput.Recover(Instants.now(), moved);
        Future<Void> known = RunSlots.holds(run.state().condition())
                ? scheduler.signals.look(run.state(), input)
                : Future.succeededFuture();
        // A run of a lost node must process this input first, however long the store is unavailable.
        return known.compose(looked -> moved ? run.report(input) : run.ask(input));
    }

    /**
     * Schedules another attempt for a run that cannot be read and whose open steps are unknown. The pause is short
     * while the store is unavailable, and longer where the store refused the run, which an operator may repair.
     */
    void recoveryFailed(String runId, boolean moved, Throwable cause) {
        boolean first = unreadable.add(runId);
        boolean unavailable = cause instanceof StoreUnavailableException;
        if (unavailable) {
            LOG.warn("run {} will be recovered when the event store answers: {}", runId, cause.getMessage());
        } else if (first) {
            LOG.error("run {} cannot be recovered and is retried every minute", runId, cause);
        }
        int asked = actors.era();
        Duration pause = unavailable ? StoreRetry.RETRY_DELAY : AFTER_REFUSAL;
        scheduler.vertx.setTimer(pause.toMillis(), fired -> {
            if (asked == actors.era() && !scheduler.capacity.isClosed()) {
                admit(() -> recover(runId, moved))
                        .onSuccess(known -> {
                            unreadable.remove(runId);
                            scheduler.capacity.fillSoon();
                        })
                        .onFailure(again -> {
                            if (asked == actors.era()) {
                                recoveryFailed(runId, moved, again);
                            }
                        });
            }
        });
    }

    /** Recovers a run whose creation is uncertain, if it exists, as soon as the store answers. */
    void recoverIfCreated(String runId) {
        scheduler.signals.uncertain(runId);
        actors.doubt(runId);
        scheduler.vertx.setTimer(StoreRetry.RETRY_DELAY.toMillis(), fired -> {
            if (actors.loaded(runId).isPresent()) { // a new attempt has created it
                actors.confirm(runId);
            } else if (!scheduler.capacity.isClosed()) {
                admit(() -> {
                            actors.confirm(runId);
                            return recover(runId);
                        })
                        .onSuccess(known -> {
                            if (known.isEmpty()) {
                                scheduler.signals.releaseTaken(runId);
                            }
                            scheduler.capacity.fillSoon();
                        })
                        .onFailure(cause -> stillUnknown(runId, cause));
            }
        });
    }

    private void stillUnknown(String runId, Throwable cause) {
        if (cause instanceof StoreUnavailableException) {
            recoverIfCreated(runId);
        } else {
            LOG.error("run {} cannot be recovered", runId, cause);
        }
    }

    /**
     * Returns the open steps of this run, or of all. A run that is not loaded is at rest and has none, unless it is
     * unreadable.
     */
    OpenSteps openSteps(Optional<String> runId) {
        Stream<RunActor> asked = runId.map(id -> actors.loaded(id).stream()).orElseGet(() -> actors.all().stream());
        Set<String> steps = asked.flatMap(
                        run -> run.state().steps().keySet().stream().map(stepId -> run.runId() + "/" + stepId))
                .collect(Collectors.toSet());
        return new OpenSteps(steps, Set.copyOf(unreadable));
    }

    /** Forgets the unreadable runs, which another node owns by now. */
    void dropAll() {
        unreadable.clear();
    }
}
