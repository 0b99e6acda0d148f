package dev.loopkeeper.scheduler;

import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.StopCause;
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

/** Stops runs because their runtime ends, and waits for that. Used from one context only. */
final class RuntimeEnd {
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(20);

    private final Map<String, RunActor> runs;
    private final Map<String, List<Promise<Void>>> whenEnded = new HashMap<>();
    private boolean hurried;

    /** @param runs those that are loaded, by id; changed elsewhere */
    RuntimeEnd(Map<String, RunActor> runs) {
        this.runs = runs;
    }

    /** Whoever waits for this run need not wait on. */
    void ended(RunActor run) {
        Optional.ofNullable(whenEnded.remove(run.runId())).ifPresent(waiting -> waiting.forEach(Promise::complete));
    }

    /** Whether somebody waits for the end of this run, which its steps have to come to. */
    boolean isAwaited(String runId) {
        return whenEnded.containsKey(runId);
    }

    /** Stops this run because the runtime ends; completes when it has ended, at once when it is not under way. */
    Future<Void> interrupt(String runId, String why) {
        Optional<RunActor> run = Optional.ofNullable(runs.get(runId)).filter(RuntimeEnd::mayStillAct);
        if (run.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> over = Promise.promise();
        whenEnded.computeIfAbsent(runId, id -> new ArrayList<>()).add(over);
        return run.get()
                .ask(stop(why))
                .compose(asked -> over.future().timeout(patience(run.get()).toSeconds(), TimeUnit.SECONDS));
    }

    private RunInput stop(String why) {
        return new RunInput.Stop(Instants.now(), StopCause.SIGNAL, Optional.of(why), hurried);
    }

    /** Skips the grace of the runs that are being interrupted, and of those that will be. */
    Future<Void> hurry() {
        hurried = true;
        List<Future<Decision>> asked = whenEnded.keySet().stream()
                .flatMap(runId -> Optional.ofNullable(runs.get(runId)).stream())
                .map(run -> run.ask(stop("the runtime was told twice to end")))
                .toList();
        return Future.join(asked).mapEmpty();
    }

    /** The longest grace of the run's agents, and the time that ending what ignores it may take. */
    private static Duration patience(RunActor run) {
        return run.state().plan().manifest().agents().values().stream()
                .map(agent -> agent.stop().grace())
                .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) > 0 ? one : other)
                .plus(BEYOND_GRACE);
    }

    private static boolean mayStillAct(RunActor run) {
        Condition condition = run.state().condition();
        return run.isDeciding() || !(condition instanceof Condition.Paused || condition instanceof Condition.Ended);
    }

    /**
     * Interrupts the runs whose agents do not outlive the runtime; the others are left as they are, for the next
     * runtime. Completes when the interrupted ones have ended.
     */
    Future<Void> interruptDependent() {
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
                .anyMatch(agent -> agent.onRuntimeDeath() == OnRuntimeDeath.KILL);
    }
}
