package dev.loopkeeper.process;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.process.tree.MissedProcessesException;
import dev.loopkeeper.process.tree.ProcessTree;
import dev.loopkeeper.process.tree.ProcessTreeTermination;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** Supervises one step from its launch or adoption to its report: the agent, its process tree and its stop. */
final class StepLife extends SupervisedStep {
    private final AgentMonitor watch;
    private final AgentState agent;
    private final Watchdog watchdog;
    private final ResultsReader results;

    private Optional<ProcessTreeTermination> ending = Optional.empty();
    private Optional<Future<KillReceipt>> stopping = Optional.empty();
    private boolean hurried;
    /** Whether the newest termination knows the agent. */
    private boolean led;

    StepLife(
            SupervisorContext around,
            StepOrder order,
            StepFolder folder,
            Launcher launcher,
            UnaryOperator<String> normalise) {
        super(around, order, folder);
        this.watch = new AgentMonitor(around, order, folder, launcher);
        this.agent = watch.state();
        this.watchdog = new Watchdog(around, order, folder, this::expire);
        this.results = new ResultsReader(around, order, folder, normalise);
    }

    @Override
    Future<StepLaunched> begin(Optional<StepSpec> step, boolean first) {
        watch.begin(step, first);
        agent.running().onSuccess(seen -> guard());
        agent.ended().compose(this::sweep).onComplete(exited);
        return agent.launched();
    }

    @Override
    Future<StepLaunched> launched() {
        return agent.launched();
    }

    /** Its tree may be verified as gone before its launcher has recorded the exit. */
    @Override
    Optional<LiveProcess> process() {
        if (agent.ended().isComplete() || isTreeGone()) {
            return Optional.empty();
        }
        return agent.agent().map(process -> live(process.pid(), agent.startedAt()));
    }

    /** Ends the tree. The next call repeats a failed termination. */
    @Override
    Future<KillReceipt> stop(ExitCause cause, boolean now) {
        hurried |= now;
        if (now) {
            ending.ifPresent(ProcessTreeTermination::skipGrace);
        }
        if (stopping.filter(begun -> !begun.failed()).isEmpty()) {
            watch.beginStop();
            stopping = Optional.of(agent.launched().compose(launched -> endTree(cause)));
        }
        return stopping.get();
    }

    @Override
    Future<Void> release() {
        watch.release();
        watchdog.release();
        return Future.succeededFuture();
    }

    private void guard() {
        if (!agent.ended().isComplete()) {
            watchdog.begin();
        }
    }

    /** An agent that has exited was in time, however late that is seen. */
    private void expire(ExitCause cause) {
        around.workers()
                .executeBlocking(() -> folder.exit().isPresent(), false)
                .otherwise(false)
                .onSuccess(over -> {
                    if (over) {
                        watch.pollNow();
                    } else {
                        stop(cause, false).onFailure(broken -> watch.giveUp());
                    }
                });
    }

    private Future<KillReceipt> endTree(ExitCause cause) {
        if (isEnding()) {
            return ending.orElseThrow().receipt();
        }
        if (agent.ended().isComplete()) {
            return exited.future().map(StepExited::swept);
        }
        asked = Optional.of(cause);
        ProcessTreeTermination begun = newEnding(true).noting(() -> note(cause));
        ending = Optional.of(begun.begin(hurried));
        return begun.receipt().onSuccess(this::agentMustBeGone);
    }

    private Void note(ExitCause cause) throws IOException {
        folder.noteStop(cause);
        return null;
    }

    /** The launcher is about to record the end, unless there is none. */
    private void agentMustBeGone(KillReceipt receipt) {
        if (receipt.outcome() == Outcome.survivors) {
            watch.giveUp();
        } else {
            watch.treeIsGone();
        }
    }

    /** Whether a termination is in progress or done, and did not fail. */
    private boolean isEnding() {
        return ending.filter(begun -> !begun.receipt().failed()).isPresent();
    }

    private boolean isTreeGone() {
        return led
                && ending.map(ProcessTreeTermination::receipt)
                        .filter(receipt ->
                                receipt.succeeded() && receipt.result().outcome() == Outcome.gone)
                        .isPresent();
    }

    /** A termination that began before the agent was seen does not know its session. */
    private ProcessTreeTermination beginEnding() {
        if (!isEnding() || (!led && agent.agent().isPresent())) {
            ending = Optional.of(
                    newEnding(agent.seen()).concluding(results::readAhead).begin(hurried));
        }
        return ending.get();
    }

    private ProcessTreeTermination newEnding(boolean watched) {
        boolean first = ending.isEmpty();
        led = agent.agent().isPresent();
        ProcessTree tree = new ProcessTree(order.marks().nonce(), agent.agent(), watched, order.enclosure())
                .recorded(folder, !(first && watch.launchedHere()));
        return new ProcessTreeTermination(
                around.trees(),
                order.runId(),
                Optional.of(order.stepId()),
                tree,
                order.limits().stop());
    }

    /** The agent is gone; ends the processes that it left. */
    private Future<StepExited> sweep(AgentEnd end) {
        watchdog.release();
        ProcessTreeTermination sweep = beginEnding();
        sweep.rescan();
        return sweep.receipt()
                .compose(receipt -> results.read(sweep, receipt).map(read -> report(end, receipt, read)))
                .recover(failure -> sweep.receipt().failed() && !TransientFailure.isShutdown(failure)
                        ? Future.succeededFuture(report(
                                end,
                                sweep.unverified(),
                                StepResults.unreadable("the process scan of step " + order.stepId() + " failed: "
                                        + (failure instanceof MissedProcessesException
                                                ? failure.getMessage()
                                                : failure))))
                        : Future.failedFuture(failure));
    }

    private StepExited report(AgentEnd end, KillReceipt receipt, StepResults results) {
        return new StepExited(
                order.runId(),
                order.stepId(),
                new StepOutcome.Exit(
                        cause(end, results),
                        agent.agent()
                                .map(process -> OptionalLong.of(process.pid()))
                                .orElse(OptionalLong.empty()),
                        end.exitCode(),
                        results.startedAt().orElse(agent.startedAt()),
                        endedAt(end, results),
                        end.diagnostic(),
                        results.sandbox()),
                end.launchError(),
                results.output(),
                receipt,
                end.internalError().or(results::internalError),
                Optional.empty());
    }

    /** The end of a step that was gone before this runtime started may be unknown; then its last sign counts. */
    private Instant endedAt(AgentEnd end, StepResults results) {
        boolean foundGone = end.natural() == ExitCause.VANISHED && !agent.seen();
        return results.endedAt()
                .or(() -> foundGone ? results.lastSign() : Optional.empty())
                .orElse(around.clock().instant());
    }

    /** A requested stop counts, also one of an earlier runtime; a failed launch stays one. */
    private ExitCause cause(AgentEnd end, StepResults results) {
        if (end.natural() == ExitCause.LAUNCH_FAILED) {
            return end.natural();
        }
        return asked.or(results::stopCause).orElse(end.natural());
    }
}
