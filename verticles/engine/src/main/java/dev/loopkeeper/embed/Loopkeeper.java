package dev.loopkeeper.embed;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.Drain;
import dev.loopkeeper.contract.SchedulerChannels.InterruptRun;
import dev.loopkeeper.contract.SchedulerChannels.SkipGrace;
import dev.loopkeeper.control.ControlFilesVerticle;
import dev.loopkeeper.manifest.PromptTemplate;
import dev.loopkeeper.notify.NotifierOptions;
import dev.loopkeeper.notify.NotifierVerticle;
import dev.loopkeeper.process.ProcessSupervisorVerticle;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.retention.LogRetentionVerticle;
import dev.loopkeeper.retention.RetentionVerticle;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.scheduler.LoopSchedulerVerticle;
import dev.loopkeeper.scheduler.SchedulerOptions;
import dev.loopkeeper.signal.SignalWatcherVerticle;
import dev.loopkeeper.store.ClusterEvents;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.TerminalExhaustionException;
import dev.loopkeeper.verdict.Normaliser;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.work.HostName;
import dev.loopkeeper.work.Workers;
import dev.loopkeeper.worktree.WorktreesVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys all of Loopkeeper into a {@link Vertx} and offers its operations. The command line and embedding code both
 * use it.
 *
 * <p>Safe to use from any thread. No method throws or blocks; futures fail with a {@link LoopkeeperException}: {@link
 * RunRefusedException} for an expected refusal such as {@code not-found}, {@link InvalidManifestException}, and {@link
 * LoopkeeperClosedException} after {@link #close}. Any other failure is a fault, e.g. that no answer came within 30 s.
 */
public final class Loopkeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Loopkeeper.class);
    /** Longest wait for draining; the scheduler itself waits for the grace of the agents. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(10);

    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final int SUBMITTERS = 2;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final LoopkeeperOptions options;
    /**
     * Stops what works with the data folder, newest first; the second queue stops the folder, the loop and the workers.
     */
    private final Deque<Supplier<Future<?>>> cleanups = new ConcurrentLinkedDeque<>();

    private final Deque<Supplier<Future<?>>> baseCleanups = new ConcurrentLinkedDeque<>();
    private final Set<Promise<?>> pendingAnswers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Promise<Void> left = Promise.promise();
    private final Promise<Void> closed = Promise.promise();
    private final EngineLoop loop = new EngineLoop(this::leave);
    private final OpenFolder folder;
    private final RunFollowers followers = new RunFollowers();
    private final RunClient runs;
    private final Workers submitters;
    /** Set before the first request. */
    private volatile EventStore store;

    private Loopkeeper(Vertx vertx, LoopkeeperOptions options) {
        this.vertx = vertx;
        this.options = options;
        this.folder = new OpenFolder(options.dataFolder(), options.store(), this::leave);
        this.submitters = Workers.of(vertx, "loopkeeper-submit", SUBMITTERS);
        this.runs = new RunClient(vertx.eventBus(), Submissions.on(vertx.eventBus(), submitters, System.getenv()));
    }

    /**
     * Deploys everything; completes when the open runs of an earlier runtime were recovered and the parts have started.
     * Fails, with everything undone, with {@link VertxInUseException}, {@code DataFolderInUseException}, {@code
     * DataFolderException}, {@code StoreException} or the failure of a part; with {@link LoopkeeperClosedException}
     * when the Vertx is closed during the start.
     */
    public static Future<Loopkeeper> start(Vertx vertx, LoopkeeperOptions options) {
        Loopkeeper keeper = new Loopkeeper(vertx, options);
        RecordCodec.register(vertx);
        keeper.baseCleanups.push(keeper.submitters::close);
        Promise<Loopkeeper> started = Promise.promise();
        keeper.deployAll()
                .map(keeper)
                .recover(cause -> keeper.end().transform(undone -> Future.failedFuture(cause)))
                .onComplete(started::tryComplete, started::tryFail);
        // A closed event loop completes no future, so the end of the folder fails the start.
        keeper.folder.ended().onComplete(over -> {
            if (!keeper.closing.get()) {
                started.tryFail(new LoopkeeperClosedException());
            }
        });
        return started.future();
    }

    private Future<Void> deployAll() {
        return each(part -> part.check(vertx))
                .compose(free -> deploy(folder))
                .compose(deployed -> folder.open())
                .compose(this::deployOn);
    }

    private Future<Void> deployOn(OpenStore opened) {
        store = opened;
        LoopkeeperPart.Host host = new LoopkeeperPart.Host(
                vertx,
                store,
                options.dataFolder(),
                draining::get,
                options.maxRuns(),
                options.membership().ownership()::isOwn);
        SupervisorOptions supervision = SupervisorOptions.of(options.dataFolder())
                .logLimit(options.logLimit())
                .inheriting(options.inherited());
        return deploy(loop)
                .compose(next -> host(new EventStoreVerticle(store)))
                .compose(next -> publishInCluster())
                // Deployed before the retention, whose interrupted removals need git worktrees.
                .compose(next -> host(new WorktreesVerticle(options.dataFolder())))
                .compose(next -> host(new RetentionVerticle(store, options.dataFolder())))
                .compose(next -> host(new NotifierVerticle(
                        store,
                        NotifierOptions.of(options.dataFolder()).linking(options.publicUrl()),
                        System.getenv(),
                        options.membership().duties())))
                .compose(next -> each(part -> prepare(part, host)))
                .compose(next -> host(new ProcessSupervisorVerticle(
                        supervision, (text, values) -> new PromptTemplate(text).fill(values), Normaliser::text)))
                .compose(next -> host(new SignalWatcherVerticle(options.dataFolder())))
                .compose(next -> host(new LoopSchedulerVerticle(
                        store,
                        new SchedulerOptions(options.dataFolder(), options.maxRuns()),
                        options.membership().ownership(),
                        options.membership().routing(),
                        options.membership().signalFiles())))
                .compose(next -> deployRetention())
                .compose(next -> host(
                        new ControlFilesVerticle(store, options.membership().ownership())))
                .compose(next -> host(followers))
                .compose(next -> each(part -> start(part, host)));
    }

    private Future<Void> prepare(LoopkeeperPart part, LoopkeeperPart.Host host) {
        cleanups.push(part::stop);
        return part.prepare(host);
    }

    /** Starts a part, which stops first: its clients learn of the shutdown before the engine stops. */
    private Future<Void> start(LoopkeeperPart part, LoopkeeperPart.Host host) {
        cleanups.push(part::stop);
        return part.start(host);
    }

    private Future<Void> each(Function<LoopkeeperPart, Future<Void>> step) {
        Future<Void> all = Future.succeededFuture();
        for (LoopkeeperPart part : options.parts()) {
            all = all.compose(done -> step.apply(part));
        }
        return all;
    }

    private Future<Void> publishInCluster() {
        if (!vertx.isClustered()) {
            return Future.succeededFuture();
        }
        String node = options.membership().ownership().node().orElseGet(() -> HostName.of(System.getenv()));
        MessageConsumer<?> publishing = ClusterEvents.publish(vertx, vertx, node);
        cleanups.push(publishing::unregister);
        return publishing.completion();
    }

    private Future<Void> deployRetention() {
        return options.keepLogs()
                .map(keep -> host(new LogRetentionVerticle(store, options.dataFolder(), keep)))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> host(VerticleBase verticle) {
        return unlessLeaving(() -> loop.host(verticle).map(hosted -> {
            cleanups.push(() -> loop.leave(verticle));
            return null;
        }));
    }

    private Future<Void> deploy(VerticleBase verticle) {
        return unlessLeaving(() -> vertx.deployVerticle(verticle).map(id -> {
            baseCleanups.push(() -> vertx.undeploy(id));
            return null;
        }));
    }

    private Future<Void> unlessLeaving(Supplier<Future<Void>> deployment) {
        return leaving.get() ? Future.failedFuture(new LoopkeeperClosedException()) : deployment.get();
    }

    /** Stops this run because its runtime shuts down; the run ends as {@code error_interrupted}. */
    public Future<Void> interrupt(String runId, String why) {
        return SchedulerChannels.INTERRUPT
                .ask(vertx.eventBus(), new InterruptRun(runId, why), DRAIN_TIMEOUT)
                .mapEmpty();
    }

    /** Skips the grace of agents that {@link #interrupt} and {@link #close} stop, from now on. */
    public Future<Void> skipGrace() {
        return SchedulerChannels.SKIP_GRACE
                .ask(vertx.eventBus(), new SkipGrace(), DRAIN_TIMEOUT)
                .mapEmpty();
    }

    /** Checks a manifest file and the files and programs it names, and creates a run; completes once it is durable. */
    public Future<Submitted> submit(Path manifest, RunOptions options) {
        return open(() -> runs.submit(manifest, options));
    }

    /** Does the same for the text of a manifest, in YAML or JSON; relative paths are relative to the workspace. */
    public Future<Submitted> submit(String manifest, RunOptions options) {
        return open(() -> runs.submit(manifest, options));
    }

    /** Returns the current state of one run. Fails with code {@code not-found} when there is none. */
    public Future<Run> run(String runId) {
        return open(() -> runs.run(RunChannels.GET, new GetRun(runId)));
    }

    /**
     * Returns a page of runs, newest first. Fails with {@link IllegalArgumentException} for an invalid limit or cursor.
     */
    public Future<Runs> runs(RunFilter filter) {
        return open(() -> RunClient.list(store, filter));
    }

    /**
     * Returns a page of the steps of one run, oldest first. Fails with code {@code not-found} when there is no such
     * run, and with {@link IllegalArgumentException} for an invalid limit or cursor.
     *
     * @param limit 1 to 1000; a page also ends at 4 MiB
     * @param cursor {@code nextCursor} of the page before; absent: the first page
     */
    public Future<StepPage> steps(String runId, int limit, Optional<String> cursor) {
        return open(() -> runs.steps(runId, limit, cursor));
    }

    /** Explains the state of a run, the next actions and what they require. Fails as {@link #run} does. */
    public Future<Explanation> explain(String runId) {
        return open(() -> runs.ask(RunChannels.EXPLAIN, new GetRun(runId), Explanation.class));
    }

    /**
     * Stops a run; its agents have the grace of the manifest. Completes when the stop is durable, not when the run has
     * ended: see {@link #awaitEnd}. A run that has ended stays as it is.
     *
     * @param reason for people, recorded with the run; blank for none
     */
    public Future<Run> stop(String runId, String reason) {
        return open(() -> runs.run(RunChannels.STOP, new StopRun(runId, nonBlank(reason), false)));
    }

    /** Stops a run without any grace. */
    public Future<Run> stopNow(String runId, String reason) {
        return open(() -> runs.run(RunChannels.STOP, new StopRun(runId, nonBlank(reason), true)));
    }

    /**
     * Ends a run with a reason of the caller: its agents are stopped as by {@link #stop}, then the end is recorded.
     * Completes when that is durable, not when the run has ended: see {@link #awaitEnd}. Fails with code {@code
     * not-endable} when the run has ended, with {@code invalid-request} for an unknown reason.
     *
     * @param reasonCode one of the built-in codes or of the manifest's {@code reasons}, e.g. {@code licence-expired}
     * @param summary why, for people: not blank, at most 4096 characters
     */
    public Future<Run> end(String runId, String reasonCode, String summary) {
        return open(() -> runs.run(RunChannels.END, new EndRun(runId, reasonCode, summary, Optional.empty())));
    }

    /** Does the same with a qualifier, recorded beside the reason, e.g. {@code seat 7}. */
    public Future<Run> end(String runId, String reasonCode, String summary, String qualifier) {
        return open(() -> runs.run(RunChannels.END, new EndRun(runId, reasonCode, summary, nonBlank(qualifier))));
    }

    /**
     * Pauses a run before its next step; completes when that is durable. Fails with code {@code not-pausable} when it
     * has ended or is paused.
     *
     * @param reason for people, recorded with the run; blank for none
     */
    public Future<Run> pause(String runId, String reason) {
        return open(() -> runs.run(RunChannels.PAUSE, new PauseRun(runId, nonBlank(reason))));
    }

    /**
     * Resumes a paused, stopped, failed or queued run; completes when that is durable. Fails with code {@code
     * action-not-allowed}, where {@link RunRefusedException#allowedActions} lists the allowed ones, with {@code
     * resume-precondition}, where {@link RunRefusedException#missing} lists what is missing, or with {@code
     * not-resumable}. Fails with {@link IllegalArgumentException} for a dry run; use {@link #explain} instead.
     */
    public Future<Run> resume(String runId, ResumeRequest request) {
        return open(() -> request.dryRun()
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
        return open(() -> {
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
        return open(() -> {
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
        return open(() -> {
            followers.add(awaited, awaited::begin);
            return awaited.future();
        });
    }

    private static Optional<String> nonBlank(String reason) {
        return Optional.of(reason).filter(text -> !text.isBlank());
    }

    /** Runs a request; its future also completes when this is closed before the answer arrives. */
    private <T> Future<T> open(Supplier<Future<T>> work) {
        Promise<T> answer = Promise.promise();
        pendingAnswers.add(answer);
        if (followers.isClosed()) {
            answer.fail(new LoopkeeperClosedException());
        } else {
            Future.succeededFuture()
                    .compose(now -> work.get())
                    .onComplete(answer::tryComplete, cause -> answer.tryFail(typed(cause)));
        }
        return answer.future().onComplete(over -> pendingAnswers.remove(answer));
    }

    private Throwable typed(Throwable cause) {
        if (cause instanceof StoreException broken) {
            return new RunRefusedException(new Refusal(RefusalCode.STORE_UNAVAILABLE, broken.getMessage()));
        }
        // The verticle that answers may have stopped first.
        boolean fault = !(cause instanceof LoopkeeperException || cause instanceof TimeoutException);
        return fault && followers.isClosed() ? new LoopkeeperClosedException() : cause;
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
            end().onComplete(closed);
        }
        return closed.future();
    }

    /** Shuts down completely. This drains first, since Vert.x does not wait for undeployments started elsewhere. */
    private Future<Void> end() {
        closing.set(true);
        return leave().compose(left -> runCleanups(baseCleanups));
    }

    /** Drains and stops everything but the folder and the loop; runs once, for the first caller. */
    private Future<Void> leave() {
        if (leaving.compareAndSet(false, true)) {
            drain().compose(drained -> runCleanups(cleanups))
                    .eventually(folder::giveBack)
                    .onComplete(over -> {
                        pendingAnswers.forEach(answer -> answer.tryFail(new LoopkeeperClosedException()));
                        left.complete();
                    });
        }
        return left.future();
    }

    private Future<Void> drain() {
        draining.set(true);
        // Without the folder, another Loopkeeper in this Vert.x would answer.
        if (!folder.isOpen()) {
            return Future.succeededFuture();
        }
        return Future.succeededFuture()
                .compose(now -> SchedulerChannels.DRAIN.ask(vertx.eventBus(), new Drain(), DRAIN_TIMEOUT))
                .<Void>mapEmpty()
                .recover(cause -> {
                    // Without a handler no run was recovered yet, or all were released.
                    if (!RequestChannel.hasNoHandler(cause)) {
                        LOG.warn("draining did not complete: {}", cause.getMessage());
                    }
                    return Future.succeededFuture();
                });
    }

    /** Runs the cleanups, newest first; a failed one does not prevent the others. */
    private static Future<Void> runCleanups(Deque<Supplier<Future<?>>> cleanups) {
        Supplier<Future<?>> cleanup = cleanups.poll();
        if (cleanup == null) {
            return Future.succeededFuture();
        }
        return Future.succeededFuture()
                .compose(now -> cleanup.get())
                .<Void>mapEmpty()
                .recover(cause -> {
                    LOG.warn("closing did not complete in order: {}", cause.getMessage());
                    return Future.succeededFuture();
                })
                .compose(undone -> runCleanups(cleanups));
    }
}
