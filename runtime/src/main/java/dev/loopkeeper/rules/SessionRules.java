package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.run.Retry;
import dev.loopkeeper.run.RetryReason;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepKind;
import dev.loopkeeper.run.StepPosition;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.step.Usage;
import java.util.Optional;

/** Which session of its agent a launch goes on with, and which one a step leaves for later launches. */
final class SessionRules {
    private SessionRules() {}

    /** The session that this launch goes on with; absent where it begins one. */
    static Optional<EarlierSession> continued(RunState state, StepPosition slot, String agent, int attempt) {
        Optional<AgentSpec> spec = state.plan()
                .manifest()
                .agent(agent)
                .filter(known -> known.resume().isPresent());
        if (spec.isEmpty() || !hasSessions(slot.kind())) {
            return Optional.empty();
        }
        Optional<RetryReason> why =
                Optional.ofNullable(state.retries().get(slot.key())).flatMap(retry -> reason(retry, agent));
        boolean isOwn = StepAgents.agentOf(state, slot).filter(agent::equals).isPresent();
        SessionMode mode = isOwn || spec.get().session() != SessionMode.CONTINUE
                ? spec.get().session()
                : SessionMode.AFTER_INTERRUPTION; // a fallback agent
        return Optional.ofNullable(
                        state.tries(slot.phase(), slot.item()).sessions().get(agent))
                .filter(session -> isHere(state, slot, attempt, session))
                .filter(session -> goesOn(state, slot, mode, why, session));
    }

    /** Why the agent is launched again; a nudge that met a passing error, or a pause for its provider, is still one. */
    private static Optional<RetryReason> reason(Retry retry, String agent) {
        boolean nudges = retry.nudges() > 0 && retry.agent().equals(agent);
        if (nudges && (!retry.waiting() || retry.reason() == RetryReason.ERROR)) {
            return Optional.of(RetryReason.SIGNAL);
        }
        return retry.waiting() ? Optional.of(retry.reason()) : Optional.empty();
    }

    private static boolean hasSessions(StepKind kind) {
        return kind != StepKind.CHECK && kind != StepKind.ASIDE;
    }

    /** Each attempt of an item that has a worktree of its own works elsewhere than the one before. */
    private static boolean isHere(RunState state, StepPosition slot, int attempt, EarlierSession session) {
        boolean moved = slot.item().isPresent() && state.git().isPresent() && session.attempt() != attempt;
        return !moved && session.workspace().equals(state.plan().workspace());
    }

    private static boolean goesOn(
            RunState state, StepPosition slot, SessionMode mode, Optional<RetryReason> why, EarlierSession session) {
        boolean samePlace = session.slot().equals(slot.key());
        if (why.filter(reason -> reason == RetryReason.SIGNAL).isPresent()) {
            return samePlace;
        }
        if (why.filter(reason -> reason != RetryReason.ERROR).isPresent()) {
            return false;
        }
        boolean repeats = samePlace && session.interrupted() && wasInterrupted(state, slot);
        return switch (mode) {
            case FRESH -> false;
            case AFTER_INTERRUPTION -> repeats;
            case CONTINUE ->
                repeats || slot.kind() == StepKind.LOOP || slot.item().isPresent();
        };
    }

    private static boolean wasInterrupted(RunState state, StepPosition slot) {
        return LaunchContexts.failure(state, slot)
                .map(Failure::kind)
                .filter(FailureKind.INTERRUPTED::equals)
                .isPresent();
    }

    /** The session that this step leaves for later launches of its agent; none where it cannot be gone on with. */
    static Optional<EarlierSession> left(RunState state, StepJudgement ended) {
        Optional<AgentSpec> spec = state.plan().manifest().agent(ended.step().agent());
        boolean ends = !hasSessions(ended.step().slot().kind()) || RecoveryLadder.overflowed(ended) || isLost(ended);
        if (ends || spec.flatMap(AgentSpec::resume).isEmpty()) {
            return Optional.empty();
        }
        Optional<ReportedSession> told = ended.outcome().report().session();
        Optional<EarlierSession> before = ended.step().session();
        Optional<String> id = told.map(known -> known.session().id()).or(() -> before.map(EarlierSession::id));
        Optional<String> place = told.map(ReportedSession::place).or(() -> before.map(EarlierSession::place));
        if (id.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new EarlierSession(
                        id.get(),
                        ended.step().stepId(),
                        ended.step().slot().key(),
                        ended.step().attempt(),
                        place.get(),
                        state.plan().workspace(),
                        isInterrupted(ended),
                        spec.get().output(),
                        totals(ended)))
                .filter(EarlierSession::isUsable);
    }

    private static boolean isInterrupted(StepJudgement ended) {
        return ended.failure()
                .map(Failure::kind)
                .filter(FailureKind.INTERRUPTED::equals)
                .isPresent();
    }

    private static Usage totals(StepJudgement ended) {
        Usage before = countedFrom(ended).map(EarlierSession::told).orElse(Usage.UNKNOWN);
        return SessionTotals.newest(before, told(ended));
    }

    private static Usage told(StepJudgement ended) {
        return ended.outcome().report().session().map(ReportedSession::totals).orElse(Usage.UNKNOWN);
    }

    /** What the output of a step says that it used: of a continued session, what came to it. */
    static Usage printed(StepJudgement ended) {
        Usage printed = ended.outcome().report().usage();
        return countedFrom(ended)
                .map(session -> SessionTotals.counted(session, told(ended), printed))
                .orElse(printed);
    }

    /**
     * The session that the step's totals include. A Codex thread of another id is a new one; versions of Claude Code give
     * a continued session another id.
     */
    private static Optional<EarlierSession> countedFrom(StepJudgement ended) {
        Optional<String> reported =
                ended.outcome().report().session().map(ReportedSession::session).map(StepSession::id);
        return continuedBy(ended)
                .filter(session -> session.output() == OutputDialect.CLAUDE_CODE
                        || reported.filter(session.id()::equals).isPresent());
    }

    /** The session that the step did go on with. */
    static Optional<EarlierSession> continuedBy(StepJudgement ended) {
        return ended.step()
                .session()
                .filter(session -> ended.outcome()
                        .report()
                        .session()
                        .map(ReportedSession::session)
                        .flatMap(StepSession::continuedFrom)
                        .isPresent());
    }

    /**
     * Whether its agent ended with an error before a turn began: the session that it was to go on with is not there. An
     * error that passes by itself says nothing of that.
     */
    static boolean isLost(StepJudgement ended) {
        boolean error = ended.outcome().exit().exitCode().orElse(0) != 0
                || ended.outcome().report().error().isPresent();
        return continuedBy(ended).isPresent()
                && ended.outcome().exit().cause() == ExitCause.EXITED
                && ended.failed()
                && error
                && ended.error().filter(ErrorContext::isTransient).isEmpty()
                && !RecoveryLadder.overflowed(ended)
                && !ended.outcome()
                        .report()
                        .session()
                        .filter(ReportedSession::worked)
                        .isPresent()
                && !used(ended.outcome().report().usage());
    }

    /** A program that finds no session has asked no model for anything. */
    private static boolean used(Usage told) {
        return told.turns().orElse(0) > 0
                || told.inputTokens().orElse(0) > 0
                || told.outputTokens().orElse(0) > 0;
    }
}
