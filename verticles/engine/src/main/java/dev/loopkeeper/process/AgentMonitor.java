package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.process.AgentPhase.Ending;
import dev.loopkeeper.process.AgentPhase.Launching;
import dev.loopkeeper.process.AgentPhase.Over;
import dev.loopkeeper.process.AgentPhase.Running;
import dev.loopkeeper.process.tree.AdoptedExitListener;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.PollTimer;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervises one agent from its launch or adoption to its end, by polls of its folder. A poll that fails proves
 * nothing, and is repeated while the machine fails. Used from one context only.
 */
final class AgentMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(AgentMonitor.class);
    private static final long HANDSHAKE_SECONDS = 20;
    private static final long FIRST_PAUSE_MILLIS = 10;
    /** Longest time until a launch is answered although the state of the step cannot be read. */
    private static final long ANSWER_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SupervisorContext around;
    private final StepOrder order;
    private final StepFolder folder;
    private final Launcher launcher;
    private final StepCheck check;
    private final Promise<StepLaunched> launched = Promise.promise();
    private final Promise<Identity> running = Promise.promise();
    private final Promise<AgentEnd> ended = Promise.promise();
    private final SingleFlight<Void> polls = new SingleFlight<>(this::poll);
    private final PollTimer timer;

    private AgentPhase phase;
    private LauncherOwner owner = new LauncherOwner.Earlier();
    private OptionalLong pendingSinceNanos = OptionalLong.empty();
    private OptionalLong failingSinceNanos = OptionalLong.empty();
    /** Whether the ended agent was found while its pid was its own. */
    private boolean held;

    AgentMonitor(SupervisorContext around, StepOrder order, StepFolder folder, Launcher launcher) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.launcher = launcher;
        this.check = new StepCheck(around, order, folder);
        this.timer = new PollTimer(around.vertx(), FIRST_PAUSE_MILLIS, polls::run);
        this.phase = new Launching(around.clock().instant(), Optional.empty(), false);
    }

    /**
     * Launches the step unless it was launched before; without a spec, only supervises what was launched before.
     *
     * @param first whether its launch was never requested: it is launched without a poll, which its claim makes safe
     */
    void begin(Optional<StepSpec> step, boolean first) {
        request(step);
        if (first && step.isPresent()) {
            launch(step.get(), true);
        } else {
            polls.run();
        }
    }

    /** Completes once the agent runs or is known not to, or when its state stays unreadable; never fails. */
    Future<StepLaunched> launched() {
        return launched.future();
    }

    /** Completes once the agent is seen alive; perhaps never. */
    Future<Identity> running() {
        return running.future();
    }

    /** Whether it was seen while its pid was its own, alive or not. */
    boolean seen() {
        return held || running.future().isComplete();
    }

    /** Whether this runtime started its launcher, so that no earlier one can have supervised it. */
    boolean launchedHere() {
        return owner instanceof LauncherOwner.Here;
    }

    /** Whether no launcher but that of this runtime was ever started for the step. */
    boolean hasSoleLauncher() {
        return owner instanceof LauncherOwner.Here here && here.sole();
    }

    /** Completes once the agent is gone; never fails. */
    Future<AgentEnd> ended() {
        return ended.future();
    }

    /** See {@link AgentPhase#agent}. */
    Optional<Identity> agent() {
        return phase.agent();
    }

    /** See {@link AgentPhase#startedAt}. */
    Instant startedAt() {
        return phase.startedAt();
    }

    /** Prevents its launch while its state cannot be read. */
    void beginStop() {
        if (phase instanceof Launching before) {
            phase = new Launching(before.startedAt(), before.request(), true);
        }
        if (failingSinceNanos.isPresent()) {
            answerUnknown();
        }
    }

    /** No process of its tree is left: limits the time in which its end must become readable. */
    void treeIsGone() {
        if (!(phase instanceof Over)) {
            phase = new Ending(phase.agent(), phase.startedAt(), System.nanoTime());
        }
        pollNow();
    }

    /** Its end is near: polls at once and more often. */
    void pollNow() {
        timer.pause(FIRST_PAUSE_MILLIS);
        polls.run();
    }

    /** Ends the supervision of an agent that could not be killed. */
    void giveUp() {
        conclude(AgentEnd.survived());
    }

    /** Ends the supervision of an agent that may live on. */
    void release() {
        over(phase.agent());
    }

    private void request(Optional<StepSpec> step) {
        if (phase instanceof Launching before) {
            phase = new Launching(before.startedAt(), step, before.stopped());
        }
    }

    private Future<Void> poll() {
        if (phase instanceof Over) {
            return Future.succeededFuture();
        }
        timer.cancel();
        return check.state(owner.launcherLives(), phase.agent())
                .compose(this::watchAdopted)
                .onSuccess(guarded(this::polled))
                .onFailure(guarded(this::missed))
                .mapEmpty();
    }

    /** Watches the exit of an agent that an earlier runtime launched. */
    private Future<StepFolderState> watchAdopted(StepFolderState state) {
        if (!(owner instanceof LauncherOwner.Earlier) || !(state instanceof StepFolderState.Alive alive)) {
            return Future.succeededFuture(state);
        }
        return around.workers()
                .executeBlocking(
                        () -> AdoptedExitListener.watch(
                                around.signals(),
                                alive.agent(),
                                () -> around.context().runOnContext(exited -> adoptedExited())),
                        false)
                .map(unwatch -> {
                    unwatch.ifPresent(this::watched);
                    return state;
                });
    }

    private void watched(Runnable unwatch) {
        if (phase instanceof Over || owner instanceof LauncherOwner.Exited) {
            unwatch.run(); // the exit was reported before the watch was
            return;
        }
        owner = new LauncherOwner.Watched(unwatch);
        timer.pause(around.options().relaxedPoll().toMillis());
    }

    /** An adopted agent has exited, or can no longer be watched. */
    private void adoptedExited() {
        owner = new LauncherOwner.Exited();
        pollNow();
    }

    /** An internal error ends the supervision; otherwise the step would stay open for ever. */
    private <T> Handler<T> guarded(Handler<T> work) {
        return value -> {
            try {
                work.handle(value);
            } catch (RuntimeException | Error failure) {
                broken(failure);
            }
        };
    }

    private void broken(Throwable failure) {
        LOG.error("step {} cannot be supervised", order.key(), failure);
        conclude(AgentEnd.unsupervised("the supervision of step " + order.stepId() + " failed: " + failure));
    }

    private void missed(Throwable cause) {
        if (TransientFailure.isShutdown(cause)) {
            LOG.debug("step {} is left to the next runtime", order.key());
        } else if (TransientFailure.is(cause)) {
            pollAgain(cause);
        } else {
            broken(cause);
        }
    }

    private void pollAgain(Throwable failure) {
        long now = System.nanoTime();
        // A failed poll proves nothing: the launcher gets its complete time to record the end again.
        pendingSinceNanos = OptionalLong.empty();
        if (failingSinceNanos.isEmpty()) {
            failingSinceNanos = OptionalLong.of(now);
            LOG.warn("step {} cannot be checked, retrying: {}", order.key(), failure.toString());
        }
        boolean stopped = phase instanceof Launching launching && launching.stopped();
        if (stopped || now - failingSinceNanos.getAsLong() > ANSWER_WITHIN_NANOS) {
            answerUnknown();
        }
        if (phase instanceof Ending ending && now - ending.sinceNanos() > recordPatienceNanos()) {
            conclude(AgentEnd.unread(phase.agent(), failure.toString()));
        } else {
            later();
        }
    }

    private long recordPatienceNanos() {
        return around.options().recordPatience().toNanos();
    }

    private void answerUnknown() {
        if (phase instanceof Launching launching && launching.stopped()) {
            request(Optional.empty());
        }
        answer(OptionalLong.empty(), false);
    }

    private void answer(OptionalLong pid, boolean adopted) {
        launched.tryComplete(new StepLaunched(order.runId(), order.stepId(), pid, adopted));
    }

    private void polled(StepFolderState state) {
        if (phase instanceof Over) {
            return;
        }
        if (failingSinceNanos.isPresent() && !(state instanceof StepFolderState.Unreadable)) {
            failingSinceNanos = OptionalLong.empty();
            LOG.info("step {} can be checked again", order.key());
        }
        if (state instanceof StepFolderState.Ended over) {
            conclude(over.end());
        } else if (!polls.isAskedAgain()) {
            proceed(state);
        }
    }

    private void proceed(StepFolderState state) {
        if (state instanceof StepFolderState.Alive alive) {
            alive(alive);
        } else if (state instanceof StepFolderState.Pending pending) {
            held |= pending.held();
            timer.pause(FIRST_PAUSE_MILLIS);
            waitForLauncher(check::endLauncher);
        } else if (state instanceof StepFolderState.Unreadable) {
            Optional<Identity> ran = phase.agent();
            waitForLauncher(() -> AgentEnd.unreadable(ran, folder));
        } else {
            unclaimed();
        }
    }

    private void unclaimed() {
        Optional<Identity> ran = phase.agent();
        if (phase instanceof Launching launching && launching.request().isPresent()) {
            launch(launching.request().get(), false);
        } else if (owner.launcherLives().orElse(false)) {
            later();
        } else {
            boolean tried = launchedHere();
            concludeWith(() -> check.preventLaunch(tried, ran));
        }
    }

    private void launch(StepSpec step, boolean first) {
        request(Optional.empty());
        around.workers()
                .executeBlocking(() -> launcher.start(step, order, folder, first), false)
                .onComplete(
                        guarded(begun ->
                                begun.ifPresentOrElse(child -> started(child, first), () -> requestedBefore(step))),
                        guarded(this::refused));
    }

    private void requestedBefore(StepSpec step) {
        request(Optional.of(step));
        polls.run();
    }

    private void refused(Throwable cause) {
        if (cause instanceof LaunchException refused) {
            conclude(AgentEnd.failed(refused.getMessage(), refused.errorKind()));
        } else if (cause instanceof ResourceExhaustedException full) {
            conclude(AgentEnd.failed(full.getMessage(), Optional.of(ErrorKind.INFRASTRUCTURE)));
        } else {
            missed(cause);
        }
    }

    private void started(StartedLauncher begun, boolean first) {
        owner = new LauncherOwner.Here(begun, first);
        Future.fromCompletionStage(begun.firstLine(), around.context())
                .timeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .map(Launcher::agent)
                .otherwise(Optional.empty())
                .onSuccess(guarded(agent -> executed(begun, agent)));
    }

    private void executed(StartedLauncher begun, Optional<Identity> agent) {
        if (agent.isPresent()) {
            running(agent.get(), around.clock().instant(), false);
            timer.pause(around.options().relaxedPoll().toMillis());
        }
        Future.fromCompletionStage(begun.gone(), around.context()).onComplete(guarded(gone -> pollNow()));
        later();
    }

    private void alive(StepFolderState.Alive found) {
        pendingSinceNanos = OptionalLong.empty();
        if (phase.agent().isEmpty()) {
            running(found.agent(), found.startedAt(), true);
        }
        later();
    }

    private void running(Identity found, Instant since, boolean adopted) {
        if (phase instanceof Ending ending) {
            phase = new Ending(Optional.of(found), since, ending.sinceNanos());
        } else if (!(phase instanceof Over)) {
            phase = new Running(found, since);
        }
        running.tryComplete(found);
        answer(OptionalLong.of(found.pid()), adopted);
    }

    /**
     * Waits for the launcher's record, but not for ever.
     *
     * @param otherwise returns the end where nothing is recorded in time
     */
    private void waitForLauncher(Callable<AgentEnd> otherwise) {
        long now = System.nanoTime();
        long since = pendingSinceNanos.orElse(now);
        pendingSinceNanos = OptionalLong.of(since);
        if (now - since < recordPatienceNanos()) {
            later();
        } else {
            concludeWith(otherwise);
        }
    }

    private void later() {
        if (phase instanceof Over) {
            return;
        }
        boolean reported =
                owner instanceof LauncherOwner.Watched || owner.launcherLives().orElse(false);
        Duration longest =
                reported ? around.options().relaxedPoll() : around.options().maxPoll();
        timer.start(longest.toMillis());
    }

    private void concludeWith(Callable<AgentEnd> reading) {
        around.workers().executeBlocking(reading, false).onComplete(guarded(this::conclude), guarded(this::missed));
    }

    private void conclude(AgentEnd end) {
        if (!(phase instanceof Over)) {
            over(end.agent().or(phase::agent));
            answer(OptionalLong.empty(), false);
            ended.tryComplete(end);
        }
    }

    private void over(Optional<Identity> agent) {
        phase = new Over(agent, phase.startedAt());
        timer.cancel();
        if (owner instanceof LauncherOwner.Watched watched) {
            watched.unwatch().run();
        }
    }
}
