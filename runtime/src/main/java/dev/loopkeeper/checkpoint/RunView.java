package dev.loopkeeper.checkpoint;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Cursor;
import dev.loopkeeper.run.Execution;
import dev.loopkeeper.run.GitState;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.OpenAsk;
import dev.loopkeeper.view.OpenStepView;
import dev.loopkeeper.view.PendingWait;
import dev.loopkeeper.view.PhaseProgress;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.ResumePoint;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunBuilder;
import dev.loopkeeper.view.RunLimits;
import dev.loopkeeper.view.TotalUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Builds the view of a run from its state. */
public final class RunView {
    private RunView() {}

    /** The run at this time. */
    public static Run of(RunState state, Instant now) {
        return of(state).at(now);
    }

    /** The run without its current activity and owner. */
    public static Run of(RunState state) {
        Optional<Condition.Ended> ended = ended(state);
        return RunBuilder.builder()
                .runId(state.runId())
                .name(state.manifest().name())
                .status(state.status())
                .execution(state.execution())
                .sequence(state.sequence())
                .position(position(state))
                .pause(pause(state))
                .waiting(waiting(state))
                .resumeAt(state.resumeAt())
                .pauseAt(state.plannedPause().map(RunState.PlannedPause::at))
                .usage(usage(state.spending()))
                .statistics(state.ledger().statistics())
                .stopReason(ended.flatMap(Condition.Ended::stopReason))
                .termination(ended.map(Condition.Ended::termination))
                .terminalExhaustion(state.ledger().exhaustion())
                .terminalExhaustionHistory(state.ledger().exhaustionHistory())
                .resumable(state.status() != RunStatus.COMPLETED)
                .resumeFrom(resumeFrom(state))
                .executions(state.executions())
                .workspace(Optional.of(state.plan().workspace()))
                .createdAt(state.createdAt())
                .startedAt(state.executions().stream().map(Execution::startedAt).findFirst())
                .endedAt(endedAt(state))
                .activeMs(state.active().millis())
                .activeSince(state.active().since())
                .limits(limits(state))
                .phases(phases(state))
                .last(state.ledger().verdict())
                .git(state.git().map(RunView::git))
                .openSteps(openSteps(state))
                .asks(openAsks(state))
                .schedule(state.schedule())
                .build();
    }

    private static List<OpenAsk> openAsks(RunState state) {
        return state.openAsks().stream()
                .map(ask -> new OpenAsk(ask.askId(), ask.stepId(), ask.question(), ask.choices(), ask.since()))
                .toList();
    }

    private static List<OpenStepView> openSteps(RunState state) {
        return state.steps().values().stream()
                .sorted(Comparator.comparing(OpenStep::startedAt).thenComparing(OpenStep::stepId))
                .map(step -> new OpenStepView(step.stepId(), step.agent(), step.startedAt(), step.usage()))
                .toList();
    }

    private static GitWork git(GitState git) {
        Changed total = git.at().total();
        return new GitWork(
                git.branch(),
                git.origin().base(),
                git.head(),
                total.files(),
                total.insertions(),
                total.deletions(),
                git.kept());
    }

    private static Optional<Condition.Ended> ended(RunState state) {
        return state.condition() instanceof Condition.Ended ended ? Optional.of(ended) : Optional.empty();
    }

    private static Optional<Instant> endedAt(RunState state) {
        List<Execution> executions = state.executions();
        return ended(state).isEmpty() || executions.isEmpty()
                ? Optional.empty()
                : executions.get(executions.size() - 1).endedAt();
    }

    private static RunLimits limits(RunState state) {
        Budget budget = state.limits().budget();
        Optional<Integer> iterations = state.cursor().work() instanceof LoopWork loop && loop.allowance() > 0
                ? Optional.of(loop.allowance())
                : Optional.empty();
        return new RunLimits(
                budget.costUsd(), budget.tokens(), budget.turns(), budget.time().map(Duration::toMillis), iterations);
    }

    private static List<PhaseProgress> phases(RunState state) {
        List<PhaseSpec> plan = state.manifest().phases();
        List<PhaseProgress> all = new ArrayList<>(plan.size());
        for (PhaseSpec phase : plan) {
            all.add(new PhaseProgress(phase.name(), phase.kind(), progress(state, phase, all.size())));
        }
        return all;
    }

    private static String progress(RunState state, PhaseSpec phase, int index) {
        int present = state.cursor().phaseIndex();
        if (index > present || (index == present && state.status() == RunStatus.QUEUED)) {
            return "pending";
        }
        if (index == present) {
            return ended(state).isEmpty() ? "active" : endedIn(state.status());
        }
        PhaseOutcome left = state.cursor().outcomes().getOrDefault(phase.name(), PhaseOutcome.PASSED);
        return left.wire();
    }

    private static String endedIn(RunStatus status) {
        return status == RunStatus.COMPLETED ? PhaseOutcome.PASSED.wire() : status.wire();
    }

    private static Position position(RunState state) {
        ResumePoint point = current(state);
        Optional<Cursor.LastStep> last = lastInPhase(state);
        return new Position(
                point.phase(),
                point.iteration(),
                point.item(),
                last.map(Cursor.LastStep::stepId),
                last.map(Cursor.LastStep::attempt),
                state.cursor().work() instanceof LoopWork loop ? Optional.of(loop.counted()) : Optional.empty());
    }

    private static Optional<Cursor.LastStep> lastInPhase(RunState state) {
        Optional<String> phase = state.phase().map(PhaseSpec::name);
        return state.cursor()
                .last()
                .filter(last ->
                        phase.isEmpty() || phase.get().equals(last.position().phase()));
    }

    /** Phase, iteration and item of the current or last step. */
    private static ResumePoint current(RunState state) {
        Optional<StepPosition> last = lastInPhase(state).map(Cursor.LastStep::position);
        Optional<Integer> current = state.cursor().work() instanceof LoopWork loop
                ? loop.current().map(iteration -> iteration.number())
                : Optional.empty();
        return new ResumePoint(
                state.phase().map(PhaseSpec::name).or(() -> last.map(StepPosition::phase)),
                current.or(() -> last.flatMap(StepPosition::iteration)),
                last.flatMap(StepPosition::item));
    }

    /** The position at which a resume would continue; {@code position} is that of the last step. */
    private static Optional<ResumePoint> resumeFrom(RunState state) {
        boolean rests = state.status() == RunStatus.PAUSED
                || state.status() == RunStatus.STOPPED
                || state.status() == RunStatus.FAILED;
        if (!rests) {
            return Optional.empty();
        }
        ResumePoint point = current(state);
        if (state.cursor().work() instanceof LoopWork loop && loop.current().isEmpty()) {
            int next = state.cursor().lastIteration() + 1;
            return Optional.of(new ResumePoint(point.phase(), Optional.of(next), point.item()));
        }
        return Optional.of(
                state.cursor().work() instanceof EachWork each
                        ? new ResumePoint(point.phase(), point.iteration(), each.next())
                        : point);
    }

    /** What the run waits for: other runs, or the retry that is due first. */
    static Optional<PendingWait> waiting(RunState state) {
        if (!(state.condition() instanceof Condition.Waiting waiting)) {
            return Optional.empty();
        }
        Optional<PendingWait> held = waiting.hold()
                .map(hold -> new PendingWait(hold.reason().wire(), hold.detail(), hold.message(), hold.resumeAt()));
        return held.or(() -> state.retries().values().stream()
                .filter(Retry::waiting)
                .min(Comparator.comparing(Retry::dueAt))
                .map(retry -> new PendingWait(
                        retry.error().category().wire(), retry.error().kind(), retry.waitsFor(), waiting.resumeAt())));
    }

    static Optional<Pause> pause(RunState state) {
        return state.condition() instanceof Condition.Paused paused
                ? Optional.of(paused.pause().shown())
                : Optional.empty();
    }

    /** Unknown is never 0: an unreported value is absent, a reported 0 is 0. */
    private static TotalUsage usage(Spending spent) {
        return new TotalUsage(
                spent.costReported() ? OptionalDouble.of(spent.costUsd().doubleValue()) : OptionalDouble.empty(),
                spent.inputTokens(),
                spent.outputTokens(),
                spent.turns(),
                spent.costReported() && spent.costKnown(),
                spent.estimated());
    }
}
