package dev.loopkeeper.embed;

import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.InterruptRun;
import dev.loopkeeper.contract.SchedulerChannels.SkipGrace;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.termination.TerminalExhaustionException;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys all of Loopkeeper into a {@link Vertx} and offers its operations. The command line and embedding code both
 * use it.
 *
 * <p>Safe to use from any thread. No method throws or blocks; futures fail with a {@link LoopkeeperException}: {@link
 * RunRefusedException} for an expected refusal such as {@code not-found}, {@link InvalidManifestException}, and {@link
 * LoopkeeperClosedException} after {@link #close}. Methods name others. The rest is a fault, e.g. no answer within 30 s.
 */
public final class Loopkeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Loopkeeper.class);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final int SUBMITTERS = 2;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final RunFollowers followers = new RunFollowers();
    private final PendingRequests requests = new PendingRequests(followers::isClosed);
    private final Deployment deployment;
    private final RunClient runs;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Promise<Void> closed = Promise.promise();
    /** Set before the first request. */
    private volatile EventStore store;

    private Loopkeeper(Vertx vertx, LoopkeeperOptions options) {
        this.vertx = vertx;
        Workers submitters = Workers.of(vertx, "loopkeeper-submit", SUBMITTERS);
        this.deployment = new Deployment(vertx, options, followers, requests::close, submitters::close);
        this.runs = new RunClient(vertx.eventBus(), Submissions.on(vertx, submitters, System.getenv()));
    }

    /**
     * Deploys everything; completes when the open runs of an earlier runtime were recovered and the parts have started.
     * Fails, with everything undone, with {@link VertxInUseException}, {@code DataFolderInUseException}, {@code
     * DataFolderException}, {@code StoreException} or the failure of a part; with {@link LoopkeeperClosedException}
     * when the Vertx is closed during the start.
     */
    public static Future<Loopkeeper> start(Vertx vertx, LoopkeeperOptions options) {
        Loopkeeper keeper = new Loopkeeper(vertx, options);
        return keeper.deployment.start().map(opened -> {
            keeper.store = opened;
            return keeper;
        });
    }

    /** Stops this run because its runtime shuts down; the run ends as {@code error_interrupted}. */
    public Future<Void> interrupt(String runId, String why) {
        return SchedulerChannels.INTERRUPT
                .ask(vertx.eventBus(), new InterruptRun(runId, why), Deployment.DRAIN_TIMEOUT)
                .mapEmpty();
    }

    /** Skips the grace of agents that {@link #interrupt} and {@link #close} stop, from now on. */
    public Future<Void> skipGrace() {
        return SchedulerChannels.SKIP_GRACE
                .ask(vertx.eventBus(), new SkipGrace(), Deployment.DRAIN_TIMEOUT)
                .mapEmpty();
    }

    /** Checks a manifest file and the files and programs it names, and creates a run; completes once it is durable. */
    public Future<Submitted> submit(Path manifest, RunOptions options) {
        return requests.open(() -> runs.submit(manifest, options));
    }

    /** Does the same for the text of a manifest, in YAML or JSON; relative paths are relative to the workspace. */
    public Future<Submitted> submit(String manifest, RunOptions options) {
        return requests.open(() -> runs.submit(manifest, options));
    }

    /** Returns the policy that holds across runs. */
    public Future<AppliedPolicy> policy() {
        return requests.open(() -> runs.policy());
    }

    /** Returns the pools of the policy with their use. */
    public Future<Pools> pools() {
        return requests.open(() -> runs.pools());
    }

    /**
     * Ends the cool-down of a pool, and the wait of the run that met the limit; completes with the pool after that. Fails
     * with code {@code not-found} if the policy has no such pool.
     */
    public Future<Pools.Entry> clearPool(String name) {
        return requests.open(() -> runs.clearPool(name));
    }

    /** Returns the caps of the policy with what their runs have used in the present window. */
    public Future<Caps> caps() {
        return requests.open(() -> runs.caps());
    }

    /**
     * Replaces the policy by this text, in YAML or JSON; completes when that is durable. Fails with {@link
     * InvalidManifestException} and changes nothing when the text has problems.
     */
    public Future<AppliedPolicy> applyPolicy(String policy) {
        return requests.open(() -> runs.apply(policy, OptionalLong.empty()));
    }

    /** Does the same, but fails with code {@code policy-changed} when the policy has another version than this. */
    public Future<AppliedPolicy> applyPolicy(String policy, long expectedVersion) {
        return requests.open(() -> runs.apply(policy, OptionalLong.of(expectedVersion)));
    }

    /** Returns the schedules of the policy, each with its newest fire. */
    public Future<List<ScheduleStatus>> schedules() {
        return requests.open(() -> runs.ask(ScheduleChannels.LIST, new ListSchedules(Optional.empty()), Schedules.class)
                .map(Schedules::schedules));
    }

    /** Returns a schedule with its newest 50 fires. Fails with code {@code not-found} when there is none. */
    public Future<ScheduleStatus> schedule(String name) {
        return requests.open(
                () -> runs.ask(ScheduleChannels.LIST, new ListSchedules(Optional.of(name)), ScheduleStatus.class));
    }

    /**
     * Fires a schedule now; completes with what became of the fire: a run, or why there is none. Fails with code {@code
     * not-found} when there is no such schedule.
     *
     * @param vars override those of the schedule
     */
    public Future<Fire> fire(String schedule, Map<String, String> vars) {
        FireSchedule command = new FireSchedule(schedule, Fire.By.HAND, Optional.empty(), Map.copyOf(vars));
        return requests.open(() -> runs.ask(ScheduleChannels.FIRE, command, Fire.class));
    }

    /** Returns the current state of one run. Fails with code {@code not-found} when there is none. */
    public Future<Run> run(String runId) {
        return requests.open(() -> runs.run(RunChannels.GET, new GetRun(runId)));
    }

    /**
     * Returns a page of runs, newest first. Fails with {@link IllegalArgumentException} for an invalid limit or cursor.
     */
    public Future<Runs> runs(RunFilter filter) {
        return requests.open(() -> RunClient.list(store, filter));
    }

    /**
     * Returns a page of the steps of one run, oldest first. Fails with code {@code not-found} when there is no such
     * run, and with {@link IllegalArgumentException} for an invalid limit or cursor.
     *
     * @param limit 1 to 1000; a page also ends at 4 MiB
     * @param cursor {@code nextCursor} of the page before; absent: the first page
     */
    public Future<StepPage> steps(String runId, int limit, Optional<String> cursor) {
        return requests.open(() -> runs.steps(runId, limit, cursor));
    }

    /** Explains the state of a run, the next actions and what they require. Fails as {@link #run} does. */
    public Future<Explanation> explain(String runId) {
        return requests.open(() -> runs.ask(RunChannels.EXPLAIN, new GetRun(runId), Explanation.class));
    }

    /**
     * Stops a run; its agents have the grace of the manifest. Completes when the stop is durable, not when the run has
     * ended: see {@link #awaitEnd}. A run that has ended stays as it is.
     *
     * @param reason for people, recorded with the run; blank for none
     */
    public Future<Run> stop(String runId, String reason) {
        return requests.open(() -> runs.run(RunChannels.STOP, new StopRun(runId, nonBlank(reason), false)));
    }

    /** Stops a run without any grace. */
    public Future<Run> stopNow(String runId, String reason) {
        return requests.open(() -> runs.run(RunChannels.STOP, new StopRun(runId, nonBlank(reason), true)));
    }

    /**
     * Ends a run with a reason of the caller: its agents are stopped as by {@link #stop}, then the end is recorded.
     * Completes when that is durable, not when the run has ended: see {@link #awaitEnd}. Fails with code {@code
     * not-endable} when the run has ended, with {@code invalid-request} for an unknown reason.
     *
     * @param reasonCode one of the built-in codes or of the manifest's {@code reasons}, e.g. {@code licence-expired}
     * @param summary why, for people: not blank; cut at 4 KiB
     */
    public Future<Run> end(String runId, String reasonCode, String summary) {
        return requests.open(() -> runs.run(RunChannels.END, new EndRun(runId, reasonCode, summary, Optional.empty())));
    }

    /** Does the same with a qualifier, recorded beside the reason, e.g. {@code seat 7}. */
    public Future<Run> end(String runId, String reasonCode, String summary, String qualifier) {
        return requests.open(
                () -> runs.run(RunChannels.END, new EndRun(runId, reasonCode, summary, nonBlank(qualifier))));
    }

    /**
     * Pauses a run before its next step; completes when that is durable. Fails with code {@code not-pausable} when it
     * has ended or is paused.
     *
     * @param reason for people, recorded with the run; blank for none
     */
    public Future<Run> pause(String runId, String reason) {
        return requests.open(() -> runs.run(RunChannels.PAUSE, new PauseRun(runId, nonBlank(reason))));
    }

    /** Pauses a run at this time, also after a restart; a later request replaces an earlier one. */
    public Future<Run> pause(String runId, String reason, Instant at) {
        return requests.open(() ->
                runs.run(RunChannels.PAUSE, new PauseRun(runId, nonBlank(reason), Optional.of(at), Requester.LOCAL)));
    }

    /**
     * Answers a question of a running step; completes when that is durable. The asks of a run are in {@link Run#asks}.
     * Fails with code {@code already-answered} or {@code ask-closed} if the ask is closed.
     *
     * @param answer any text; the choices are suggestions
     */
    public Future<Run> answer(String runId, String askId, String answer) {
        return requests.open(() -> runs.run(AskChannels.ANSWER, new AnswerAsk(runId, askId, answer, Requester.LOCAL)));
    }

    /**
     * Resumes a paused, stopped, failed or queued run; completes when that is durable. Fails with code {@code
     * action-not-allowed}, where {@link RunRefusedException#allowedActions} lists the allowed ones, with {@code
     * resume-precondition}, where {@link RunRefusedException#missing} lists what is missing, or with {@code
     * not-resumable}. Fails with {@link IllegalArgumentException} for a dry run; use {@link #explain} instead.
     */
    public Future<Run> resume(String runId, ResumeRequest request) {
        return requests.open(() -> request.dryRun()
                ? Future.failedFuture(new IllegalArgumentException("resume does not accept a dry run; use explain"))
                : runs.run(RunChannels.RESUME, new ResumeRun(runId, request)));
    }

    /**
     * Delivers all events of one run: first those recorded already, then each new one once it is durable. Completes
     * when the former were delivered; fails with code {@code not-found} when there is no such run.
     *
     * @param listener called on an event loop, which it must not block; what it throws is logged and changes nothing
     */
    public Future<EventSubscription> events(String runId, Consumer<RunEvents.Recorded<RunEvent>> listener) {
        EventSubscription subscription = new EventSubscription(runId, store, listener);
        RunFollower follower = subscription.follower();
        Promise<EventSubscription> begun = Promise.promise();
        subscription.ended().onComplete(over -> {
            followers.remove(follower);
            begun.tryFail(over.failed() ? over.cause() : new LoopkeeperClosedException());
        });
        return requests.open(() -> {
                    Objects.requireNonNull(listener, "listener must not be null");
                    followers.add(follower, () -> subscription.begin().onComplete(begun));
                    return begun.future();
                })
                .onFailure(cause -> subscription.close());
    }

    /**
     * Returns the run once it has ended. A paused run has not ended, so this may wait for a person: limit the wait with
     * {@link #awaitEnd(String, Duration)} or follow the {@link #events}. Fails with code {@code not-found} when there
     * is no such run, and with {@link LoopkeeperClosedException} when this is closed first. While the run cannot be
     * read, e.g. because the store does not answer, this retries every second.
     */
    public Future<Run> awaitEnd(String runId) {
        return until(awaited(runId));
    }

    /** The same, but fails with {@link TimeoutException} when the run has not ended after so long. */
    public Future<Run> awaitEnd(String runId, Duration limit) {
        return requests.open(() -> {
            AwaitedEnd awaited = awaited(runId);
            String late = "run " + runId + " has not ended within " + limit;
            long timer = vertx.setTimer(millisUntil(limit), fired -> awaited.fail(new TimeoutException(late)));
            return until(awaited).onComplete(over -> vertx.cancelTimer(timer));
        });
    }

    /**
     * Returns the run once it has ended with success. Fails with {@link TerminalExhaustionException} when it has ended
     * otherwise, and as {@link #awaitEnd(String)} does.
     */
    public Future<Run> awaitSuccess(String runId) {
        return awaitEnd(runId).compose(Success::require);
    }

    /** The same, but fails with {@link TimeoutException} when the run has not ended after so long. */
    public Future<Run> awaitSuccess(String runId, Duration limit) {
        return awaitEnd(runId, limit).compose(Success::require);
    }

    /** Limits a duration to what a timer accepts. */
    private static long millisUntil(Duration limit) {
        return limit.compareTo(FOR_EVER) > 0 ? FOR_EVER.toMillis() : Math.max(1, limit.toMillis());
    }

    private AwaitedEnd awaited(String runId) {
        return new AwaitedEnd(runId, () -> run(runId), retry -> {
            try {
                vertx.setTimer(RETRY_DELAY.toMillis(), due -> retry.run());
            } catch (RejectedExecutionException endedWithVertx) {
                LOG.debug("stopped waiting for the end of run {}", runId, endedWithVertx);
            }
        });
    }

    private Future<Run> until(AwaitedEnd awaited) {
        awaited.future().onComplete(over -> followers.remove(awaited));
        return requests.open(() -> {
            followers.add(awaited, awaited::begin);
            return awaited.future();
        });
    }

    private static Optional<String> nonBlank(String reason) {
        return Optional.of(reason).filter(text -> !text.isBlank());
    }

    /** Starts a further part, e.g. a mounted gateway, which stops with this. A part that fails is stopped. */
    public Future<Void> attach(LoopkeeperPart part) {
        return requests.open(() -> deployment.attach(part));
    }

    /**
     * Shuts down in order: no new work is accepted, agents with {@code onRuntimeDeath: keep} continue for the next
     * runtime, the others are stopped, everything is undeployed. The {@link Vertx} stays open. Never fails; a second
     * call waits for the first. Closing the Vertx, or undeploying the verticle that started this, has the same effect.
     */
    public Future<Void> close() {
        // If Vert.x was closed first, everything is undeployed and the data folder released.
        if (followers.isClosed()) {
            closed.tryComplete();
        }
        if (closing.compareAndSet(false, true) && !closed.future().isComplete()) {
            deployment.end().onComplete(closed);
        }
        return closed.future();
    }
}
