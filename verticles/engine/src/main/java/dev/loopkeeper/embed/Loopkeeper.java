package dev.loopkeeper.embed;

import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.AnswerAsk;
import dev.loopkeeper.contract.AskChannels.AskPerson;
import dev.loopkeeper.contract.AskChannels.GetAsk;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ListItems;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.InterruptRun;
import dev.loopkeeper.contract.SchedulerChannels.SkipGrace;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.request.PruneRequest;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.termination.TerminalExhaustionException;
import dev.loopkeeper.view.AskResult;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Checkpoint;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.ItemPage;
import dev.loopkeeper.view.IterationPage;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
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
    private final Workers submitters;
    private final RunClient runs;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Promise<Void> closed = Promise.promise();
    /** Set before the first request. */
    private volatile EventStore store;

    private volatile RunDetails details;

    private Loopkeeper(Vertx vertx, LoopkeeperOptions options) {
        this.vertx = vertx;
        this.submitters = Workers.of(vertx, "loopkeeper-submit", SUBMITTERS);
        this.deployment = new Deployment(vertx, options.values, followers, requests::close, submitters::close);
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
            keeper.details = new RunDetails(vertx, keeper.submitters, keeper.runs, opened, options.values.dataFolder());
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

    /** Returns a step of a run. Fails with code {@code not-found} when there is none. */
    public Future<Step> step(String runId, String stepId) {
        return requests.open(() -> details.step(runId, stepId));
    }

    /** Returns the checkpoint of a run: the run with its manifest and items. Fails as {@link #run} does. */
    public Future<Checkpoint> checkpoint(String runId) {
        return requests.open(() -> runs.ask(RunChannels.CHECKPOINT, new GetRun(runId), Checkpoint.class));
    }

    /**
     * Returns a page of the items of one run, in the order of the plan. Fails as {@link #steps} does.
     *
     * @param limit 1 to 1000
     * @param cursor {@code nextCursor} of the page before; absent: the first page
     */
    public Future<ItemPage> items(String runId, int limit, Optional<String> cursor) {
        return requests.open(() -> runs.ask(
                RunChannels.ITEMS,
                new ListItems(
                        runId,
                        (int) Math.min(
                                Integer.MAX_VALUE,
                                cursor.map(RunDetails::position).orElse(0L)),
                        RunDetails.within(limit)),
                ItemPage.class));
    }

    /** Returns a page of the iterations of one run; the first page has the newest. Otherwise as {@link #items}. */
    public Future<IterationPage> iterations(String runId, int limit, Optional<String> cursor) {
        return requests.open(() -> details.iterations(runId, limit, cursor));
    }

    /** Returns events of one run after this sequence, oldest first; none at the end. Otherwise as {@link #items}. */
    public Future<List<RunEvents.Recorded<RunEvent>>> events(String runId, long since, int limit) {
        return requests.open(() -> details.events(runId, since, limit));
    }

    /** Returns the context that a step had at its launch. Fails as {@link #step} does. */
    public Future<LaunchContext> context(String runId, String stepId) {
        return requests.open(() -> details.context(runId, stepId));
    }

    /** Returns a page of the stop receipts of one run, oldest first. Otherwise as {@link #items}. */
    public Future<ReceiptPage> receipts(String runId, Optional<String> cursor) {
        return requests.open(() -> details.receipts(runId, cursor));
    }

    /**
     * Opens the log of a step, as raw bytes. The stream reads no faster than its reader takes it; a reader that removes
     * its handler ends it. In a cluster, only logs on this node. Fails as {@link #step} does.
     */
    public Future<ReadStream<Buffer>> log(String runId, String stepId, LogSelection selection) {
        return requests.open(() -> details.log(runId, stepId, selection));
    }

    /**
     * Opens a paused or ended run as one file, which {@code loopkeeper import} reads; the stream is as that of {@link
     * #log}. Fails with code {@code not-exportable} for a run in progress. It holds the values of {@code env}.
     */
    public Future<ReadStream<Buffer>> export(String runId) {
        return requests.open(() -> details.export(runId));
    }

    /** Returns the changes of a run with a worktree, cut at 2 MiB. Fails with code {@code no-worktree} without one. */
    public Future<Diff> diff(String runId) {
        return requests.open(() -> details.diff(runId));
    }

    /** Returns the changes of one step. Fails as {@link #diff(String)} and {@link #step} do. */
    public Future<Diff> diff(String runId, String stepId) {
        return requests.open(() -> details.stepDiff(runId, stepId));
    }

    /**
     * Merges the branch of a run into the branch that is checked out in its repository; conflicts change nothing. Fails
     * as {@link #diff(String)} does.
     *
     * @param squash whether to make one commit
     * @param dryRun whether only to report what would happen
     */
    public Future<RunMerged> merge(String runId, boolean squash, boolean dryRun) {
        return requests.open(() -> details.merge(runId, squash, dryRun));
    }

    /** Returns the living agents of this node. */
    public Future<List<LiveProcess>> processes() {
        return requests.open(() -> runs.askLong(ProcessChannels.LIST, new ListProcesses(Optional.empty()))
                .map(ProcessList::processes));
    }

    /**
     * Ends all processes of an agent of a run; completes with the receipt when none is left.
     *
     * @param role name of the agent, or id of a step
     * @param now whether to skip the grace
     */
    public Future<KillReceipt> kill(String runId, String role, boolean now) {
        return requests.open(() -> runs.kill(runId, role, now));
    }

    /** Ends the orphaned processes of this node, or only lists them. */
    public Future<Reaped> reap(boolean dryRun) {
        return requests.open(() -> runs.reap(dryRun));
    }

    /** Removes old ended runs with their folders, or only lists them; completes with one page of them. */
    public Future<PrunedRuns> prune(PruneRequest request) {
        return requests.open(() -> runs.askLong(StoreChannels.PRUNE, request.question(Instants.now())));
    }

    /** Checks a manifest file as {@link #submit(Path, RunOptions)} does; completes with its warnings. */
    public Future<List<ManifestProblem>> validate(Path manifest, RunOptions options) {
        return requests.open(() -> runs.validate(manifest, options));
    }

    /** Does the same for the text of a manifest. */
    public Future<List<ManifestProblem>> validate(String manifest, RunOptions options) {
        return requests.open(() -> runs.validate(manifest, options));
    }

    /**
     * Asks a person on behalf of a running step; completes when that is durable. {@link #ask(String, String, String)}
     * returns the answer.
     *
     * @param patience how long the question stays open
     */
    public Future<AskResult> ask(
            String runId, String stepId, String question, List<String> choices, Duration patience) {
        String key = UUID.randomUUID().toString();
        AskPerson command = new AskPerson(runId, stepId, key, question, List.copyOf(choices), patience);
        return requests.open(() -> runs.ask(AskChannels.ASK, command, AskResult.class));
    }

    /** Returns what became of a question. Fails with code {@code not-found} when there is none. */
    public Future<AskResult> ask(String runId, String stepId, String askId) {
        return requests.open(() -> runs.ask(AskChannels.GET, new GetAsk(runId, stepId, askId), AskResult.class));
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
        return follow(Optional.of(runId), 0, event -> listener.accept(event.recorded()), listener);
    }

    /**
     * Delivers all events of all runs behind a cursor: first those recorded already, then each new one once it is
     * durable. Completes when the former were delivered. In a cluster, events of other nodes arrive too. Fails with
     * {@link IllegalArgumentException} for a cursor behind {@link #cursor}, which is of another store.
     *
     * @param cursor {@link FeedEvent#cursor} of the last event that was handled, or {@link #cursor}; 0: from the first
     * @param listener called on an event loop, which it must not block; what it throws is logged and changes nothing
     */
    public Future<EventSubscription> feed(long cursor, Consumer<FeedEvent> listener) {
        return follow(Optional.empty(), cursor, listener, listener);
    }

    /** Returns the cursor behind the newest event. */
    public Future<Long> cursor() {
        return requests.open(() -> store.lastPosition());
    }

    private Future<EventSubscription> follow(
            Optional<String> runId, long since, Consumer<FeedEvent> delivery, Consumer<?> listener) {
        EventSubscription subscription = new EventSubscription(runId, store, since, delivery);
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
