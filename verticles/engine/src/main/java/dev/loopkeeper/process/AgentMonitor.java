package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.process.tree.AdoptedExitListener;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one agent from its launch or adoption to its end. A look that fails proves neither: it is repeated for as long
 * as the machine is in trouble. Used from one context only.
 */
final class AgentMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(AgentMonitor.class);
    private static final long HANDSHAKE_SECONDS = 20;
    private static final long FIRST_PAUSE_MILLIS = 10;
    /** How long whoever asked for a launch waits to be told that nothing can be told yet. */
    private static final long ANSWER_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long NO_TIMER = -1;

    private final SupervisorContext around;
    private final StepOrder order;
    private final StepFolder folder;
    private final Launcher launcher;
    private final Promise<StepLaunched> launched = Promise.promise();
    private final Promise<Identity> running = Promise.promise();
    private final Promise<AgentEnd> ended = Promise.promise();

    private Optional<StepSpec> toLaunch = Optional.empty();
    /** Kept reachable: with its input closed a launcher that follows the runtime would end the agent. */
    private Optional<StartedLauncher> child = Optional.empty();

    private Optional<Identity> agent = Optional.empty();
    private OptionalLong pendingSinceNanos = OptionalLong.empty();
    private OptionalLong troubledSinceNanos = OptionalLong.empty();
    private OptionalLong goneSinceNanos = OptionalLong.empty();
    private boolean stopped;
    private boolean held;
    /** Whether the end of an adopted agent was ever to be told: where that came to nothing it is found by looking. */
    private boolean followed;
    /** What ends the watch of an adopted agent, while its end is to be told. */
    private Optional<Runnable> unfollow = Optional.empty();

    private Instant startedAt;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private long timer = NO_TIMER;
    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
    private boolean released;
    private boolean soleLauncher;

    AgentMonitor(SupervisorContext around, StepOrder order, StepFolder folder, Launcher launcher) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.launcher = launcher;
        this.startedAt = around.clock().instant();
    }

    /**
     * Launches it unless it ever was; without a step, only looks after what was launched before.
     *
     * @param first whether nobody ever asked for it: it is launched without a look, which its claim makes safe
     */
    void begin(Optional<StepSpec> step, boolean first) {
        toLaunch = step;
        if (first && step.isPresent()) {
            launch(step.get(), true);
        } else {
            looks.run();
        }
    }

    /** Completes once the agent runs or is known not to, or when neither can be told for a while; never fails. */
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

    /** Whether this runtime started its launcher, so that none before can have looked after it. */
    boolean launchedHere() {
        return child.isPresent();
    }

    /** Whether no launcher but that of this runtime was ever started for the step. */
    boolean hasSoleLauncher() {
        return soleLauncher;
    }

    /** Completes once the agent is gone; never fails. */
    Future<AgentEnd> ended() {
        return ended.future();
    }

    /** Absent until it runs. */
    Optional<Identity> agent() {
        return agent;
    }

    Instant startedAt() {
        return startedAt;
    }

    /** It is to end: while nothing can be told of it, it is not launched any more. */
    void beginStop() {
        stopped = true;
        if (troubledSinceNanos.isPresent()) {
            answerUnknown();
        }
    }

    /** Nothing of its tree is left: an end that cannot be read is not waited for much longer. */
    void treeIsGone() {
        goneSinceNanos = OptionalLong.of(System.nanoTime());
        hurry();
    }

    /** Its end is near: looks at once and more often. */
    void hurry() {
        pauseMillis = FIRST_PAUSE_MILLIS;
        looks.run();
    }

    /** Stops watching an agent that will not die. */
    void giveUp() {
        conclude(AgentEnd.survived(agent));
    }

    /** Stops watching an agent that may live on. */
    void release() {
        released = true;
        around.vertx().cancelTimer(timer);
        unfollow();
    }

    private void unfollow() {
        unfollow.ifPresent(Runnable::run);
        unfollow = Optional.empty();
    }

    private Future<Void> look() {
        if (released || ended.future().isComplete()) {
            return Future.succeededFuture();
        }
        around.vertx().cancelTimer(timer);
        boolean follows = child.isEmpty() && !followed;
        Optional<Boolean> launching = child.map(StartedLauncher::lives);
        Optional<Identity> ran = agent;
        return around.workers()
                .executeBlocking(() -> see(follows, launching, ran), false)
                .compose(sight -> search(follows, sight))
                .onSuccess(guarded(this::looked))
                .onFailure(guarded(this::missed))
                .mapEmpty();
    }

    /**
     * What a look found, and how the agent ended where that is recorded.
     *
     * @param unfollow ends the watch that was begun for an agent that lives
     */
    private record Sight(StepFolderState standing, Optional<AgentEnd> end, Optional<Runnable> unfollow) {}

    private static final Sight UNTOLD = new Sight(new StepFolderState.Untold(), Optional.empty(), Optional.empty());

    /**
     * @param launching whether its launcher lives; absent where an earlier runtime started it
     * @param ran who is known to have been executed
     */
    private Sight see(boolean follows, Optional<Boolean> launching, Optional<Identity> ran) throws IOException {
        boolean lives = ran.filter(around.processes()::living).isPresent();
        try {
            StepFolderState standing = StepFolderState.of(folder, order.nonce(), around.processes());
            boolean removed = standing instanceof StepFolderState.Unclaimed && launching.isEmpty() && ran.isPresent();
            return removed && !lives ? UNTOLD : sight(follows, removed ? living(ran.get()) : standing);
        } catch (AccessDeniedException sealed) {
            if (lives || launching.orElse(false)) {
                throw sealed;
            }
            // Nobody else gives the rights back, and there is nothing more to be recorded.
            return launching.isEmpty() ? UNTOLD : lost(ran);
        }
    }

    private static StepFolderState living(Identity agent) {
        return new StepFolderState.Alive(agent, Instant.EPOCH);
    }

    private Sight lost(Optional<Identity> ran) {
        return new Sight(new StepFolderState.Lost(ran), Optional.of(AgentEnd.sealed(ran, folder)), Optional.empty());
    }

    private Sight sight(boolean follows, StepFolderState standing) throws IOException {
        Optional<AgentEnd> end = standing instanceof StepFolderState.Ended recorded
                ? Optional.of(AgentEnd.recorded(recorded, order, folder))
                : Optional.empty();
        return new Sight(
                standing,
                end,
                follows && standing instanceof StepFolderState.Alive alive
                        ? AdoptedExitListener.watch(
                                around.signals(),
                                alive.agent(),
                                () -> around.context().runOnContext(gone -> told()))
                        : Optional.empty());
    }

    /** Where no note tells of a step that an earlier runtime may have launched, who lives does. */
    private Future<Sight> search(boolean follows, Sight sight) {
        StepFolderState unnoted = sight.standing();
        boolean silent = unnoted instanceof StepFolderState.Untold
                || (unnoted instanceof StepFolderState.Unclaimed unclaimed && !unclaimed.asked());
        if (!silent || child.isPresent() || agent.isPresent()) {
            return Future.succeededFuture(sight);
        }
        return MarkedAgent.find(around, order, folder, unnoted)
                .compose(found -> around.workers()
                        .executeBlocking(
                                () -> found instanceof StepFolderState.Lost lost
                                        ? lost(lost.agent())
                                        : sight(follows, found),
                                false));
    }

    /** An adopted agent is gone, or its end will not be told any more. */
    private void told() {
        followed = true;
        unfollow = Optional.empty();
        hurry();
    }

    /** A flaw of ours ends the watch: else the step would stay open for ever. */
    private <T> Handler<T> guarded(Handler<T> work) {
        return value -> {
            try {
                work.handle(value);
            } catch (RuntimeException | Error flaw) {
                broken(flaw);
            }
        };
    }

    private void broken(Throwable flaw) {
        LOG.error("step {} cannot be looked after", order.key(), flaw);
        conclude(AgentEnd.broken(agent, "looking after step " + order.stepId() + " broke: " + flaw));
    }

    private void missed(Throwable cause) {
        if (TransientFailure.isShutdown(cause)) {
            LOG.debug("step {} is left to the next runtime", order.key());
        } else if (TransientFailure.is(cause)) {
            lookAgain(cause);
        } else {
            broken(cause);
        }
    }

    private void lookAgain(Throwable trouble) {
        long now = System.nanoTime();
        // What was not seen proves nothing: a launcher's time to record the end begins anew.
        pendingSinceNanos = OptionalLong.empty();
        if (troubledSinceNanos.isEmpty()) {
            troubledSinceNanos = OptionalLong.of(now);
            LOG.warn("step {} cannot be looked at, and is until it can be: {}", order.key(), trouble.toString());
        }
        if (stopped || now - troubledSinceNanos.getAsLong() > ANSWER_WITHIN_NANOS) {
            answerUnknown();
        }
        if (goneSinceNanos.isPresent()
                && now - goneSinceNanos.getAsLong()
                        > around.options().recordPatience().toNanos()) {
            conclude(AgentEnd.unread(agent, trouble.toString()));
        } else {
            later();
        }
    }

    private void seeAgain() {
        if (troubledSinceNanos.isPresent()) {
            troubledSinceNanos = OptionalLong.empty();
            LOG.info("step {} can be looked at again", order.key());
        }
    }

    private void answerUnknown() {
        if (stopped) {
            toLaunch = Optional.empty();
        }
        launched.tryComplete(new StepLaunched(order.runId(), order.stepId(), OptionalLong.empty(), false));
    }

    private void looked(Sight sight) {
        if (!(sight.standing() instanceof StepFolderState.Untold)) {
            seeAgain();
        }
        sight.unfollow().ifPresent(this::follow);
        if (released) {
            unfollow();
            return;
        }
        if (sight.end().isPresent()) {
            conclude(sight.end().get());
        } else if (!looks.isAskedAgain()) {
            proceed(sight.standing());
        }
    }

    private void follow(Runnable end) {
        if (followed) { // it was told before the look was over that began it
            end.run();
            return;
        }
        followed = true;
        unfollow = Optional.of(end);
        pauseMillis = around.options().relaxedPoll().toMillis();
    }

    private void proceed(StepFolderState standing) {
        if (standing instanceof StepFolderState.Alive alive) {
            alive(alive);
        } else if (standing instanceof StepFolderState.Pending pending) {
            held |= pending.held();
            pauseMillis = FIRST_PAUSE_MILLIS;
            waitForLauncher(this::endLauncher);
        } else if (standing instanceof StepFolderState.Untold) {
            Optional<Identity> ran = agent;
            waitForLauncher(() -> AgentEnd.sealed(ran, folder));
        } else if (standing instanceof StepFolderState.Lost lost) {
            conclude(AgentEnd.lost(lost.agent().or(() -> agent)));
        } else if (standing instanceof StepFolderState.Foreign) {
            foreign();
        } else if (standing instanceof StepFolderState.Forestalled) {
            conclude(AgentEnd.forestalled());
        } else {
            unclaimed();
        }
    }

    private void foreign() {
        conclude(AgentEnd.failed("folder " + folder.path() + " belongs to another launch of step " + order.stepId()
                + "; a step id may be used once"));
    }

    private void unclaimed() {
        if (toLaunch.isPresent()) {
            launch(toLaunch.get(), false);
        } else if (child.filter(StartedLauncher::lives).isPresent()) {
            later();
        } else {
            boolean tried = child.isPresent();
            Optional<Identity> ran = agent;
            concludeBy(() -> forestall(tried, ran));
        }
    }

    private void launch(StepSpec step, boolean first) {
        toLaunch = Optional.empty();
        around.workers()
                .executeBlocking(() -> launcher.start(step, order, folder, first), false)
                .onComplete(
                        guarded(begun ->
                                begun.ifPresentOrElse(child -> started(child, first), () -> askedBefore(step))),
                        guarded(this::refused));
    }

    private void askedBefore(StepSpec step) {
        toLaunch = Optional.of(step);
        looks.run();
    }

    private void refused(Throwable cause) {
        if (cause instanceof LaunchException refused) {
            conclude(AgentEnd.failed(refused));
        } else if (cause instanceof ResourceExhaustedException full) {
            conclude(AgentEnd.withoutRoom(full));
        } else {
            missed(cause);
        }
    }

    private void started(StartedLauncher begun, boolean first) {
        child = Optional.of(begun);
        soleLauncher = first;
        Future.fromCompletionStage(begun.firstLine(), around.context())
                .timeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .map(Launcher::told)
                .otherwise(Optional.empty())
                .onSuccess(guarded(told -> heard(begun, told)));
    }

    private void heard(StartedLauncher begun, Optional<Identity> told) {
        if (told.isPresent()) {
            running(told.get(), around.clock().instant(), false);
            pauseMillis = around.options().relaxedPoll().toMillis();
        }
        Future.fromCompletionStage(begun.gone(), around.context()).onComplete(guarded(over -> hurry()));
        later();
    }

    private void alive(StepFolderState.Alive found) {
        pendingSinceNanos = OptionalLong.empty();
        if (agent.isEmpty()) {
            running(found.agent(), found.startedAt(), true);
        }
        later();
    }

    private void running(Identity found, Instant since, boolean adopted) {
        agent = Optional.of(found);
        startedAt = since;
        running.tryComplete(found);
        launched.tryComplete(new StepLaunched(order.runId(), order.stepId(), OptionalLong.of(found.pid()), adopted));
    }

    /**
     * Bounded.
     *
     * @param otherwise how it ended where nothing is recorded in time
     */
    private void waitForLauncher(Callable<AgentEnd> otherwise) {
        long now = System.nanoTime();
        long since = pendingSinceNanos.orElse(now);
        pendingSinceNanos = OptionalLong.of(since);
        if (now - since < around.options().recordPatience().toNanos()) {
            later();
        } else {
            concludeBy(otherwise);
        }
    }

    /** One that neither executes nor records anything is ended. */
    private AgentEnd endLauncher() throws IOException {
        boolean sent = folder.claimant()
                .filter(claimant -> around.signals().send(claimant, Signals.KILL))
                .isPresent();
        LOG.warn("launcher of step {} recorded no end; it was {}", order.key(), sent ? "killed" : "already gone");
        StepFolderState standing = StepFolderState.of(folder, order.nonce(), around.processes());
        return standing instanceof StepFolderState.Ended recorded
                ? AgentEnd.recorded(recorded, order, folder)
                : AgentEnd.lost(folder.agent());
    }

    /** No launcher that is still on its way may launch it after this. */
    private AgentEnd forestall(boolean tried, Optional<Identity> ran) {
        try {
            boolean unused = folder.claimForStop();
        } catch (IOException refused) {
            // Neither can a launcher write there.
            LOG.debug("step {} cannot be claimed", order.key(), refused);
        }
        if (ran.isPresent()) {
            return AgentEnd.sealed(ran, folder);
        }
        return tried ? AgentEnd.unwritten(order, folder) : AgentEnd.forestalled();
    }

    private void later() {
        if (released || ended.future().isComplete()) {
            return;
        }
        around.vertx().cancelTimer(timer);
        timer = around.vertx().setTimer(pauseMillis, fired -> looks.run());
        boolean told =
                unfollow.isPresent() || child.filter(StartedLauncher::lives).isPresent();
        Duration longest =
                told ? around.options().relaxedPoll() : around.options().maxPoll();
        pauseMillis = Math.min(pauseMillis * 2, longest.toMillis());
    }

    private void concludeBy(Callable<AgentEnd> reading) {
        around.workers().executeBlocking(reading, false).onComplete(guarded(this::conclude), guarded(this::missed));
    }

    private void conclude(AgentEnd ending) {
        if (released) {
            return;
        }
        around.vertx().cancelTimer(timer);
        unfollow();
        if (agent.isEmpty()) {
            agent = ending.agent();
        }
        launched.tryComplete(new StepLaunched(order.runId(), order.stepId(), OptionalLong.empty(), false));
        ended.tryComplete(ending);
    }
}
