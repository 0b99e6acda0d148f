package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.PollTimer;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
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
    private final SingleFlight<Void> polls = new SingleFlight<>(this::poll);
    private final PollTimer timer;
    private final AgentState state;

    /** Kept reachable: when its input closes, a launcher that follows the runtime ends the agent. */
    private Optional<StartedLauncher> launched = Optional.empty();

    private OptionalLong pendingSinceNanos = OptionalLong.empty();
    private OptionalLong failingSinceNanos = OptionalLong.empty();

    AgentMonitor(SupervisorContext around, StepOrder order, StepFolder folder, Launcher launcher) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.launcher = launcher;
        this.check = new StepCheck(around, order, folder);
        this.timer = new PollTimer(around.vertx(), FIRST_PAUSE_MILLIS, polls::run);
        this.state = new AgentState(order, around.clock().instant());
    }

    /**
     * Launches the step unless it was launched before; without a spec, only supervises what was launched before.
     *
     * @param first whether its launch was never requested; then no poll comes first, since the claim is enough
     */
    void begin(Optional<StepSpec> step, boolean first) {
        state.request(step);
        if (first && step.isPresent()) {
            launch(step.get(), true);
        } else {
            polls.run();
        }
    }

    /** Returns the known state of the agent. */
    AgentState state() {
        return state;
    }

    /** Whether this runtime started its launcher, so that no earlier one can have supervised it. */
    boolean launchedHere() {
        return launched.isPresent();
    }

    /** Prevents its launch while its state cannot be read. */
    void beginStop() {
        state.stopped();
        if (failingSinceNanos.isPresent()) {
            state.answerUnknown();
        }
    }

    /** No process of its tree is left: limits the time in which its end must become readable. */
    void treeIsGone() {
        state.treeIsGone(System.nanoTime());
        pollNow();
    }

    /** Polls at once and more often, because the agent is about to end. */
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
        over(state.agent());
    }

    private Future<Void> poll() {
        if (state.isOver()) {
            return Future.succeededFuture();
        }
        timer.cancel();
        return check.state(launched.map(StartedLauncher::lives), state.agent())
                .onSuccess(guarded(this::polled))
                .onFailure(guarded(this::missed))
                .mapEmpty();
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
        if (state.isStoppedBeforeLaunch() || now - failingSinceNanos.getAsLong() > ANSWER_WITHIN_NANOS) {
            state.answerUnknown();
        }
        OptionalLong gone = state.treeGoneSinceNanos();
        if (gone.isPresent() && now - gone.getAsLong() > recordPatienceNanos()) {
            conclude(AgentEnd.unread(state.agent(), failure.toString()));
        } else {
            later();
        }
    }

    private long recordPatienceNanos() {
        return around.options().recordPatience().toNanos();
    }

    private void polled(StepFolderState found) {
        if (state.isOver()) {
            return;
        }
        if (failingSinceNanos.isPresent() && !(found instanceof StepFolderState.Unreadable)) {
            failingSinceNanos = OptionalLong.empty();
            LOG.info("step {} can be checked again", order.key());
        }
        if (found instanceof StepFolderState.Ended over) {
            conclude(over.end());
        } else if (!polls.isAskedAgain()) {
            proceed(found);
        }
    }

    private void proceed(StepFolderState found) {
        if (found instanceof StepFolderState.Alive alive) {
            alive(alive);
        } else if (found instanceof StepFolderState.Pending pending) {
            state.held(pending.held());
            timer.pause(FIRST_PAUSE_MILLIS);
            waitForLauncher(check::endLauncher);
        } else if (found instanceof StepFolderState.Unreadable) {
            Optional<Identity> ran = state.agent();
            waitForLauncher(() -> AgentEnd.unreadable(ran, folder));
        } else {
            unclaimed();
        }
    }

    private void unclaimed() {
        Optional<Identity> ran = state.agent();
        Optional<StepSpec> requested = state.request();
        if (requested.isPresent()) {
            launch(requested.get(), false);
        } else if (launcherLives()) {
            later();
        } else {
            boolean tried = launchedHere();
            concludeWith(() -> check.preventLaunch(tried, ran));
        }
    }

    private void launch(StepSpec step, boolean first) {
        state.request(Optional.empty());
        around.workers()
                .executeBlocking(() -> launcher.start(step, order, folder, first), false)
                .onComplete(
                        guarded(begun -> begun.ifPresentOrElse(this::started, () -> requestedBefore(step))),
                        guarded(cause -> AgentEnd.refused(cause).ifPresentOrElse(this::conclude, () -> missed(cause))));
    }

    private void requestedBefore(StepSpec step) {
        state.request(Optional.of(step));
        polls.run();
    }

    private void started(StartedLauncher begun) {
        launched = Optional.of(begun);
        Future.fromCompletionStage(begun.firstLine(), around.context())
                .timeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .map(Launcher::agent)
                .otherwise(Optional.empty())
                .onSuccess(guarded(agent -> executed(begun, agent)));
    }

    private void executed(StartedLauncher begun, Optional<Identity> agent) {
        if (agent.isPresent()) {
            state.running(agent.get(), around.clock().instant(), false);
            relax();
        }
        Future.fromCompletionStage(begun.gone(), around.context()).onComplete(guarded(gone -> pollNow()));
        later();
    }

    private void alive(StepFolderState.Alive found) {
        pendingSinceNanos = OptionalLong.empty();
        if (state.agent().isEmpty()) {
            state.running(found.agent(), found.startedAt(), true);
        }
        if (launchedHere()) {
            later();
        } else {
            timer.pause(around.options().adoptedPoll().toMillis());
            later(around.options().adoptedPoll());
        }
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

    /** Polls rarely, because the end of the agent will be reported. */
    private void relax() {
        timer.pause(around.options().relaxedPoll().toMillis());
    }

    private boolean launcherLives() {
        return launched.filter(StartedLauncher::lives).isPresent();
    }

    private void later() {
        later(
                launcherLives()
                        ? around.options().relaxedPoll()
                        : around.options().maxPoll());
    }

    private void later(Duration longest) {
        if (!state.isOver()) {
            timer.start(longest.toMillis());
        }
    }

    private void concludeWith(Callable<AgentEnd> reading) {
        around.workers().executeBlocking(reading, false).onComplete(guarded(this::conclude), guarded(this::missed));
    }

    private void conclude(AgentEnd end) {
        if (!state.isOver()) {
            over(end.agent().or(state::agent));
            state.ended(end);
        }
    }

    private void over(Optional<Identity> agent) {
        state.over(agent);
        timer.cancel();
    }
}
