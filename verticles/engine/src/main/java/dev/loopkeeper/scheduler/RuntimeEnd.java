package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.SchedulerChannels.ActiveRuns;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Stops runs because their runtime ends, and waits for their end. Used from one context only. */
final class RuntimeEnd {
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(20);

    private final Scheduler scheduler;
    private final Map<String, RunActor> runs;
    private final Map<String, List<Promise<Void>>> whenEnded = new HashMap<>();
    private boolean graceSkipped;

    RuntimeEnd(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.runs = scheduler.runs;
    }

    /**
     * Lists the runs that continue automatically. If there are none and none can appear, no more work is accepted from
     * now on.
     */
    ActiveRuns settle() {
        List<String> going = runs.values().stream()
                .filter(run -> !run.state().condition().atRest())
                .map(RunActor::runId)
                .sorted()
                .toList();
        boolean over =
                going.isEmpty() && runs.values().stream().noneMatch(RunActor::inUse) && !scheduler.intake.isAdmitting();
        if (over) {
            scheduler.capacity.close();
        }
        return new ActiveRuns(over, going);
    }

    /** Completes the futures that wait for the end of this run. */
    void ended(RunActor run) {
        Optional.ofNullable(whenEnded.remove(run.runId())).ifPresent(waiting -> waiting.forEach(Promise::complete));
    }

    /** Whether a future waits for the end of this run, so that its step ends must be processed. */
    boolean isAwaited(String runId) {
        return whenEnded.containsKey(runId);
    }

    /** Stops this run because the runtime ends. Completes when it has ended, or at once when it is not active. */
    Future<Void> interrupt(String runId, String why) {
        Optional<RunActor> run = Optional.ofNullable(runs.get(runId)).filter(RuntimeEnd::mayStillAct);
        if (run.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        whenEnded.computeIfAbsent(runId, id -> new ArrayList<>()).add(over);
        return run.get()
                .ask(stop(why))
                .compose(asked -> over.future().timeout(stopTimeout(run.get()).toSeconds(), TimeUnit.SECONDS));
    }

    private RunInput stop(String why) {
        return new RunInput.Stop(Instants.now(), StopCause.SIGNAL, Optional.of(why), graceSkipped);
    }

    /** Skips the grace of runs that are being interrupted now or later. */
    Future<Void> skipGrace() {
        graceSkipped = true;
        List<Future<Decision>> asked = whenEnded.keySet().stream()
                .flatMap(runId -> Optional.ofNullable(runs.get(runId)).stream())
                .map(run -> run.ask(stop("the runtime received a second signal to stop")))
                .toList();
        return Future.join(asked).mapEmpty();
    }

    /** Returns the longest grace of the run's agents plus the time to kill agents that ignore it. */
    private static Duration stopTimeout(RunActor run) {
        return run.state().plan().manifest().agents().values().stream()
                .map(agent -> agent.limits().stop().grace())
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other)
                .plus(BEYOND_GRACE);
    }

    private static boolean mayStillAct(RunActor run) {
        Condition condition = run.state().condition();
        return run.isDeciding() || !(condition instanceof Condition.Paused || condition instanceof Condition.Ended);
    }

    /**
     * Accepts no more work, interrupts the runs whose agents do not outlive the runtime, and completes when they have
     * ended. The other runs are left to the next runtime.
     */
    Future<Void> drain() {
        scheduler.capacity.close();
        List<Future<Void>> interrupted =
                runs.values().stream().filter(RuntimeEnd::diesWithTheRuntime).map(RunActor::runId).toList().stream()
                        .map(runId -> interrupt(runId, "the runtime ends"))
                        .toList();
        return Future.join(interrupted).mapEmpty();
    }

    private static boolean diesWithTheRuntime(RunActor run) {
        return run.state().steps().values().stream()
                .map(step -> run.state().plan().manifest().agent(step.agent()))
                .flatMap(Optional::stream)
                .anyMatch(agent -> agent.loss().onRuntimeDeath() == OnRuntimeDeath.KILL);
    }
}
