package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.process.AgentPhase.Ending;
import dev.loopkeeper.process.AgentPhase.Launching;
import dev.loopkeeper.process.AgentPhase.Over;
import dev.loopkeeper.process.AgentPhase.Running;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The known state of one agent; completes the futures that wait for it. Used from one context only. */
final class AgentState {
    private final StepOrder order;
    private final Promise<StepLaunched> launched = Promise.promise();
    private final Promise<Identity> running = Promise.promise();
    private final Promise<AgentEnd> ended = Promise.promise();
    private AgentPhase phase;
    /** Whether the ended agent was found while its pid was its own. */
    private boolean held;

    AgentState(StepOrder order, Instant begun) {
        this.order = order;
        this.phase = new Launching(begun, Optional.empty(), false);
    }

    /** Completes once the agent runs or is known not to, or when its state stays unreadable; never fails. */
    Future<StepLaunched> launched() {
        return launched.future();
    }

    /** Completes once the agent is seen alive; perhaps never. */
    Future<Identity> running() {
        return running.future();
    }

    /** Completes once the agent is gone; never fails. */
    Future<AgentEnd> ended() {
        return ended.future();
    }

    /** Whether the agent was seen, alive or not, while its pid was its own. */
    boolean seen() {
        return held || running.future().isComplete();
    }

    /** See {@link AgentPhase#agent}. */
    Optional<Identity> agent() {
        return phase.agent();
    }

    /** See {@link AgentPhase#startedAt}. */
    Instant startedAt() {
        return phase.startedAt();
    }

    boolean isOver() {
        return phase instanceof Over;
    }

    /** Returns the step to launch; empty once its launcher was started, or if it must not be launched. */
    Optional<StepSpec> request() {
        return phase instanceof Launching before ? before.request() : Optional.empty();
    }

    void request(Optional<StepSpec> step) {
        if (phase instanceof Launching before) {
            phase = new Launching(before.startedAt(), step, before.stopped());
        }
    }

    /** Records a stop: an agent that was not seen yet must not be launched while its state cannot be read. */
    void stopped() {
        if (phase instanceof Launching before) {
            phase = new Launching(before.startedAt(), before.request(), true);
        }
    }

    boolean isStoppedBeforeLaunch() {
        return phase instanceof Launching before && before.stopped();
    }

    /** No process of its tree is left. */
    void treeIsGone(long nowNanos) {
        if (!isOver()) {
            phase = new Ending(phase.agent(), phase.startedAt(), nowNanos);
        }
    }

    /** Since when no process is left, while its end was not read; empty otherwise. */
    OptionalLong treeGoneSinceNanos() {
        return phase instanceof Ending ending ? OptionalLong.of(ending.sinceNanos()) : OptionalLong.empty();
    }

    /** @param own whether the ended agent was found while its pid was its own */
    void held(boolean own) {
        held |= own;
    }

    /** Records that the agent was seen alive. */
    void running(Identity found, Instant since, boolean adopted) {
        if (phase instanceof Ending ending) {
            phase = new Ending(Optional.of(found), since, ending.sinceNanos());
        } else if (!isOver()) {
            phase = new Running(found, since);
        }
        running.tryComplete(found);
        answer(OptionalLong.of(found.pid()), adopted);
    }

    /** Answers the launch although the state cannot be read. */
    void answerUnknown() {
        if (isStoppedBeforeLaunch()) {
            request(Optional.empty());
        }
        answer(OptionalLong.empty(), false);
    }

    private void answer(OptionalLong pid, boolean adopted) {
        launched.tryComplete(new StepLaunched(order.runId(), order.stepId(), pid, adopted));
    }

    /** Ends the supervision of the agent. */
    void over(Optional<Identity> agent) {
        phase = new Over(agent, phase.startedAt());
    }

    void ended(AgentEnd end) {
        answer(OptionalLong.empty(), false);
        ended.tryComplete(end);
    }
}
