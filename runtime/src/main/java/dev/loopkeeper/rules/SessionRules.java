package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.RetryReason;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.step.Usage;
import java.util.Optional;

/** Decides which session a launch continues, and which session a step leaves for later launches. */
final class SessionRules {
    private SessionRules() {}

    /** The session that this launch continues; empty when it begins one. */
    static Optional<EarlierSession> continued(RunState state, StepPosition position, String agent, int attempt) {
        Optional<AgentSpec> spec = state.manifest()
                .agent(agent)
                .filter(agentSpec -> agentSpec.continuation().resume().isPresent());
        if (spec.isEmpty() || !hasSessions(position.kind())) {
            return Optional.empty();
        }
        Optional<RetryReason> why =
                Optional.ofNullable(state.retries().get(position.key())).flatMap(retry -> reason(retry, agent));
        boolean isOwn =
                StepAgents.agentOf(state, position).filter(agent::equals).isPresent();
        SessionMode mode = isOwn || spec.get().continuation().session() != SessionMode.CONTINUE
                ? spec.get().continuation().session()
                : SessionMode.AFTER_INTERRUPTION; // a fallback agent
        return Optional.ofNullable(state.tries(position.phase(), position.item())
                        .sessions()
                        .get(agent))
                .filter(session -> isHere(state, position, attempt, session))
                .filter(session -> continues(state, position, mode, why, session));
    }

    /**
     * Why the agent is launched again; a retry for a missing signal that met a transient error or a provider pause is still one.
     */
    private static Optional<RetryReason> reason(Retry retry, String agent) {
        boolean nudges = retry.nudges() > 0 && retry.agent().equals(agent);
        if (nudges && (!retry.waiting() || retry.reason() == RetryReason.ERROR)) {
            return Optional.of(RetryReason.SIGNAL);
        }
        return retry.waiting() ? Optional.of(retry.reason()) : Optional.empty();
    }

    private static boolean hasSessions(StepKind kind) {
        return kind != StepKind.CHECK && kind != StepKind.CONSULTATION;
    }

    /** Each attempt of an item with its own worktree works in a new folder. */
    private static boolean isHere(RunState state, StepPosition position, int attempt, EarlierSession session) {
        boolean moved = position.item().isPresent() && state.git().isPresent() && session.attempt() != attempt;
        return !moved && session.workspace().equals(state.plan().workspace());
    }

    private static boolean continues(
            RunState state,
            StepPosition position,
            SessionMode mode,
            Optional<RetryReason> why,
            EarlierSession session) {
        boolean samePosition = session.slot().equals(position.key());
        if (why.filter(reason -> reason == RetryReason.SIGNAL).isPresent()) {
            return samePosition;
        }
        if (why.filter(reason -> reason != RetryReason.ERROR).isPresent()) {
            return false;
        }
        boolean repeats =
                samePosition && session.interrupted() && isInterrupted(LaunchContexts.failure(state, position));
        return switch (mode) {
            case FRESH -> false;
            case AFTER_INTERRUPTION -> repeats;
            case CONTINUE ->
                repeats || position.kind() == StepKind.LOOP || position.item().isPresent();
        };
    }

    /** The session that this step leaves for its agent's later launches; empty when it cannot be continued. */
    static Optional<EarlierSession> left(RunState state, StepJudgement ended) {
        Optional<AgentSpec> spec = state.manifest().agent(ended.agent());
        boolean ends = !hasSessions(ended.position().kind()) || StepErrors.overflowed(ended) || isLost(ended);
        if (ends || spec.flatMap(agent -> agent.continuation().resume()).isEmpty()) {
            return Optional.empty();
        }
        Optional<ReportedSession> reported = ended.report().session();
        Optional<EarlierSession> before = ended.step().session();
        Optional<String> id = reported.map(session -> session.session().id()).or(() -> before.map(EarlierSession::id));
        Optional<String> host = reported.map(ReportedSession::host).or(() -> before.map(EarlierSession::host));
        if (id.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new EarlierSession(
                        id.get(),
                        ended.step().stepId(),
                        ended.position().key(),
                        ended.step().attempt(),
                        host.get(),
                        state.plan().workspace(),
                        isInterrupted(ended.failure()),
                        spec.get().program().output(),
                        totals(ended)))
                .filter(EarlierSession::isUsable);
    }

    private static boolean isInterrupted(Optional<Failure> failure) {
        return failure.map(Failure::kind)
                .filter(FailureKind.INTERRUPTED::equals)
                .isPresent();
    }

    private static Usage totals(StepJudgement ended) {
        Usage before = countedFrom(ended).map(EarlierSession::reported).orElse(Usage.UNKNOWN);
        return SessionTotals.newest(before, reported(ended));
    }

    private static Usage reported(StepJudgement ended) {
        return ended.report().session().map(ReportedSession::totals).orElse(Usage.UNKNOWN);
    }

    /** The usage in a step's output; for a continued session, only the increase. */
    static Usage printed(StepJudgement ended) {
        Usage printed = ended.report().usage();
        return countedFrom(ended)
                .map(session -> SessionTotals.counted(session, reported(ended), printed))
                .orElse(printed);
    }

    /**
     * The session that the step's totals include. A Codex thread of another id is a new one; versions of Claude Code give
     * a continued session another id.
     */
    private static Optional<EarlierSession> countedFrom(StepJudgement ended) {
        Optional<String> reported =
                ended.report().session().map(ReportedSession::session).map(StepSession::id);
        return continuedBy(ended)
                .filter(session -> session.output() == OutputDialect.CLAUDE_CODE
                        || reported.filter(session.id()::equals).isPresent());
    }

    /** The session that the step did continue. */
    static Optional<EarlierSession> continuedBy(StepJudgement ended) {
        return ended.step()
                .session()
                .filter(session -> ended.report()
                        .session()
                        .map(ReportedSession::session)
                        .flatMap(StepSession::continuedFrom)
                        .isPresent());
    }

    /**
     * Whether the session to continue is missing: the agent failed before a turn began, and the error is not transient.
     */
    static boolean isLost(StepJudgement ended) {
        boolean error =
                ended.exit().exitCode().orElse(0) != 0 || ended.report().error().isPresent();
        return continuedBy(ended).isPresent()
                && ended.cause() == ExitCause.EXITED
                && ended.failed()
                && error
                && ended.error().filter(ErrorContext::isTransient).isEmpty()
                && !StepErrors.overflowed(ended)
                && !ended.report().session().filter(ReportedSession::worked).isPresent()
                && !used(ended.report().usage());
    }

    /** A program that finds no session has not called a model. */
    private static boolean used(Usage reported) {
        return reported.turns().orElse(0) > 0
                || reported.inputTokens().orElse(0) > 0
                || reported.outputTokens().orElse(0) > 0;
    }
}
