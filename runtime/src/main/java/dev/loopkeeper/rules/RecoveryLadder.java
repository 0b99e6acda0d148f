package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.run.EndReason;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.Retry;
import dev.loopkeeper.run.RetryReason;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepKind;
import dev.loopkeeper.step.Backoff;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides about errors outside the work: a delayed retry with the same agent, then its fallbacks, then a pause. The
 * pause ends automatically if a provider stated a reset time. Automatic resumes are limited until a success or a
 * person's resume. Permanent errors end the run at once.
 */
final class RecoveryLadder {
    private static final Set<String> NEXT_AGENT_KINDS = Set.of("model-missing");
    private static final Map<String, StandardReason> LASTING_KINDS = Map.of(
            "auth", StandardReason.PROVIDER_AUTH,
            "billing", StandardReason.PROVIDER_AUTH,
            "entitlement", StandardReason.PROVIDER_AUTH,
            "model-missing", StandardReason.PROVIDER_AUTH,
            "context-overflow", StandardReason.PROMPT_TOO_LONG,
            "infrastructure", StandardReason.INFRASTRUCTURE);
    private static final Set<StandardReason> ENDING_REPORTS = Set.of(
            StandardReason.STRUCTURED_OUTPUT,
            StandardReason.PROMPT_TOO_LONG,
            StandardReason.THINKING_STARVED,
            StandardReason.HALTED,
            StandardReason.COMPACTION_FAILED,
            StandardReason.PROVIDER_AUTH,
            StandardReason.INFRASTRUCTURE);

    private static final double NO_JITTER = 0.5;

    private RecoveryLadder() {}

    static Optional<RuleResult> after(RunState state, StepJudgement ended, Instant at) {
        if (ended.outcome().exit().cause() == ExitCause.NODE_LOST) {
            return afterNodeLoss(state, ended, at);
        }
        if (!isOwnEnd(ended) || !lostItsWork(ended) || ended.voluntary() || exitCodeDecides(state, ended)) {
            return Optional.empty();
        }
        Optional<ErrorContext> error = ended.error();
        if (passes(ended)) {
            return Optional.of(tryAgain(state, ended, error.get(), at));
        }
        if (overflowed(ended)) {
            return Optional.of(afterOverflow(state, ended, at));
        }
        if (error.filter(context -> NEXT_AGENT_KINDS.contains(context.kind())).isPresent()
                && fallbackAfter(state, ended).isPresent()) {
            return Optional.of(nextAgent(state, ended, error.get(), at));
        }
        return lasting(ended)
                .map(reason -> new RuleResult.End(
                        EndReason.of(reason, summary(ended, reason)).because(error),
                        StopMode.TERMINATE,
                        AfterStep.REDO));
    }

    /** Whether the step failed, or its agent reported an error and no success. */
    static boolean lostItsWork(StepJudgement ended) {
        return ended.failed() || (ended.error().isPresent() && !ended.saysSuccess());
    }

    /** Whether the agent's context window was full. */
    static boolean overflowed(StepJudgement ended) {
        return !ended.saysSuccess()
                && ended.outcome().exit().cause() == ExitCause.EXITED
                && (ended.error()
                                .filter(error -> error.kind().equals(ErrorKind.CONTEXT_OVERFLOW.wire()))
                                .isPresent()
                        || ended.outcome().report().termination().equals(StandardReason.PROMPT_TOO_LONG.subtype()));
    }

    /** Tries the same agent in a fresh session, then each fallback once; then the input is too large. */
    private static RuleResult afterOverflow(RunState state, StepJudgement ended, Instant at) {
        String agent = ended.step().agent();
        ErrorContext error = ended.error().orElseThrow();
        Retry before = sameAgent(state, ended, error, at);
        int fresh = state.overflows()
                .getOrDefault(RunState.overflowKey(ended.step().slot().phase(), agent), 0);
        if (before.fallback() == 0 && fresh < state.plan().manifest().retry().overflow()) {
            return new RuleResult.TryAgain(before.again(at, error, RetryReason.OVERFLOW));
        }
        Optional<String> next = fallbackAfter(state, ended);
        if (next.isPresent()) {
            return new RuleResult.TryAgain(
                    retry(state, ended, next.get(), 0, before.fallback() + 1, at, error, before.back())
                            .again(at, error, RetryReason.OVERFLOW));
        }
        EndReason tooLong =
                EndReason.of(StandardReason.PROMPT_TOO_LONG, summary(ended, StandardReason.PROMPT_TOO_LONG));
        return new RuleResult.End(tooLong.because(Optional.of(error)), StopMode.TERMINATE, AfterStep.REDO);
    }

    /** A retry of the same agent, with the counts of the step's position. */
    private static Retry sameAgent(RunState state, StepJudgement ended, ErrorContext error, Instant at) {
        Optional<Retry> before = earlier(state, ended);
        return retry(
                state,
                ended,
                ended.step().agent(),
                before.map(Retry::tries).orElse(0),
                before.map(Retry::fallback).orElse(0),
                at,
                error,
                before.flatMap(Retry::back));
    }

    /** Retries once without the missing session, as part of the same attempt. */
    static Optional<RuleResult> afterLostSession(RunState state, StepJudgement ended, Instant at) {
        if (!SessionRules.isLost(ended)) {
            return Optional.empty();
        }
        ErrorContext error = ended.error().orElseThrow();
        return Optional.of(
                new RuleResult.TryAgain(sameAgent(state, ended, error, at).again(at, error, RetryReason.SESSION)));
    }

    /** Relaunches a finished step that left no valid signal, a limited number of times. */
    static Optional<RuleResult> nudge(RunState state, StepJudgement ended, Instant at) {
        boolean left = ended.invalid()
                .filter(invalid -> invalid.detail() != SignalDetail.STALE)
                .isPresent();
        boolean exitedWell = ended.outcome().exit().cause() == ExitCause.EXITED
                && ended.outcome().exit().exitCode().orElse(1) == 0;
        int most = state.plan()
                .manifest()
                .agent(ended.step().agent())
                .map(AgentSpec::nudge)
                .orElse(0);
        if (!left || !exitedWell || ended.voluntary()) {
            return Optional.empty();
        }
        ErrorContext error = ErrorContext.lasting(
                ErrorCategory.UNKNOWN,
                ErrorKind.UNCLASSIFIED.wire(),
                ended.invalid().orElseThrow().message());
        Retry before = sameAgent(state, ended, error, at);
        return before.nudges() < most
                ? Optional.of(new RuleResult.TryAgain(before.again(at, error, RetryReason.SIGNAL)))
                : Optional.empty();
    }

    /** Limited like transient errors, since the agent may crash its nodes; then the run pauses for a person. */
    private static Optional<RuleResult> afterNodeLoss(RunState state, StepJudgement ended, Instant at) {
        RetryPolicy policy = state.plan().manifest().retry();
        Optional<Retry> before = earlier(state, ended);
        int tries = before.map(Retry::tries).orElse(0);
        String agent = ended.step().agent();
        boolean retries = state.plan()
                .manifest()
                .agent(agent)
                .filter(agentSpec -> agentSpec.onNodeLoss() == OnNodeLoss.RETRY)
                .isPresent();
        if (!retries || !ended.failed() || tries >= policy.transientErrors().max()) {
            return Optional.empty();
        }
        ErrorContext error = ended.error().orElseThrow();
        Instant due = at.plus(delay(policy, ended, error, tries, at));
        int fallback = before.map(Retry::fallback).orElse(0);
        return Optional.of(new RuleResult.TryAgain(
                retry(state, ended, agent, tries + 1, fallback, due, error, before.flatMap(Retry::back))));
    }

    /** A gate with plain text and without a signal is a check: its exit code decides, whatever its log contains. */
    static boolean exitCodeDecides(RunState state, StepJudgement ended) {
        return ended.step().slot().kind() == StepKind.GATE
                && state.plan()
                        .manifest()
                        .agent(ended.step().agent())
                        .filter(gate -> gate.output() == OutputDialect.TEXT
                                && gate.signal().isEmpty())
                        .isPresent();
    }

    /** Whether nothing interrupted the step, except its own retries of transient errors. */
    private static boolean isOwnEnd(StepJudgement ended) {
        ExitCause cause = ended.outcome().exit().cause();
        return cause == ExitCause.EXITED || (cause == ExitCause.IDLE && passes(ended));
    }

    private static boolean passes(StepJudgement ended) {
        return ended.error().filter(ErrorContext::isTransient).isPresent();
    }

    /** The reason for an ending that the step's error determines; empty when only the step itself is judged. */
    static Optional<StandardReason> reasonOf(StepJudgement ended) {
        if (!isOwnEnd(ended) || ended.error().isEmpty()) {
            return Optional.empty();
        }
        return passes(ended) ? Optional.of(StandardReason.PROVIDER_UNAVAILABLE) : lasting(ended);
    }

    private static Optional<StandardReason> lasting(StepJudgement ended) {
        return ended.error()
                .map(error -> LASTING_KINDS.get(error.kind()))
                .or(() -> StandardReason.ofSubtype(ended.outcome().report().termination())
                        .filter(ENDING_REPORTS::contains));
    }

    private static String summary(StepJudgement ended, StandardReason reason) {
        String said = ended.error()
                .map(ErrorContext::message)
                .or(() -> ended.outcome().report().diagnostic())
                .orElse(reason.subtype());
        return ended.step().agent() + ": " + said;
    }

    private static RuleResult tryAgain(RunState state, StepJudgement ended, ErrorContext error, Instant at) {
        RetryPolicy policy = state.plan().manifest().retry();
        Optional<Retry> before = earlier(state, ended);
        int tries = before.map(Retry::tries).orElse(0);
        int returns = state.returns().getOrDefault(ended.step().slot().key(), 0);
        boolean waits = policy.transientErrors().waits() || !isAway(policy, ended, error);
        int fallback = before.map(Retry::fallback).orElse(0);
        Optional<String> next = fallbackAfter(state, ended);
        boolean others = next.isPresent() || fallback > 0;
        // After an automatic resume each agent has one attempt: its others are used up.
        boolean again = tries < policy.transientErrors().max() && returns == 0;
        if (again && waits && !(others && isSpent(policy, ended, error))) {
            Instant due = at.plus(delay(policy, ended, error, tries, at));
            Optional<Instant> back = before.flatMap(Retry::back); // of agents tried before this one
            return new RuleResult.TryAgain(
                    retry(state, ended, ended.step().agent(), tries + 1, fallback, due, error, back));
        }
        if (next.isPresent()) {
            return nextAgent(state, ended, error, at);
        }
        Optional<Instant> back = mayReturn(policy, returns)
                ? soonestBack(before, back(policy, ended, error)).map(time -> notAtOnce(policy, time, returns, at))
                : Optional.empty();
        String message = "the provider stays unavailable: " + error.message();
        Pause pause = Pause.of(PauseReason.PROVIDER_UNAVAILABLE, message, at).withDetail(error.kind());
        return new RuleResult.PauseFor(pause.at(ended.step()).until(back), AfterStep.REDO);
    }

    /** Limits automatic resumes, so that a provider's promises do not keep a run going forever. */
    private static boolean mayReturn(RetryPolicy policy, int returns) {
        int most = Math.max(1, policy.transientErrors().max());
        return policy.transientErrors().waits() && returns < most;
    }

    /** The provider's reset time, if it stated one; a delay within the backoff is not a reset. */
    private static Optional<Instant> back(RetryPolicy policy, StepJudgement ended, ErrorContext error) {
        Optional<Instant> said = stated(ended, error);
        return isWindow(error) ? said : said.filter(time -> isLong(policy, time, ended));
    }

    /** Whether the provider stated an outage longer than the backoff. */
    private static boolean isAway(RetryPolicy policy, StepJudgement ended, ErrorContext error) {
        return stated(ended, error).filter(time -> isLong(policy, time, ended)).isPresent();
    }

    /** Whether the account is exhausted for longer than the backoff, so that no earlier retry can succeed. */
    private static boolean isSpent(RetryPolicy policy, StepJudgement ended, ErrorContext error) {
        return isWindow(error) && isAway(policy, ended, error);
    }

    private static boolean isWindow(ErrorContext error) {
        return error.kind().equals(ErrorKind.USAGE_WINDOW.wire());
    }

    private static Optional<Instant> stated(StepJudgement ended, ErrorContext error) {
        return ended.outcome().report().resumeAt().or(() -> error.statedDelay().map(endOf(ended)::plus));
    }

    /** Counted from the end of the step, regardless of when this is decided. */
    private static boolean isLong(RetryPolicy policy, Instant back, StepJudgement ended) {
        return back.isAfter(endOf(ended).plus(policy.backoff().max()));
    }

    private static Instant endOf(StepJudgement ended) {
        return ended.outcome().exit().endedAt();
    }

    /** The earliest stated reset of all providers; it may be past. */
    private static Optional<Instant> soonestBack(Optional<Retry> before, Optional<Instant> said) {
        return Stream.concat(before.flatMap(Retry::back).stream(), said.stream())
                .min(Comparator.naturalOrder());
    }

    /** Adds backoff, so that the run does not retry in a tight loop. */
    private static Instant notAtOnce(RetryPolicy policy, Instant back, int returns, Instant at) {
        Instant soonest = at.plus(Backoff.delay(policy.backoff(), returns + 1, NO_JITTER));
        return back.isAfter(soonest) ? back : soonest;
    }

    private static Duration delay(RetryPolicy policy, StepJudgement ended, ErrorContext error, int tries, Instant at) {
        Optional<Duration> reset = ended.outcome()
                .report()
                .resumeAt()
                .filter(time -> error.retryAfterMs().isEmpty() && time.isAfter(at))
                .map(time -> Duration.between(at, time));
        return Backoff.delay(policy.backoff(), error, reset, tries + 1, jitter(ended));
    }

    /** Derived from the launch's nonce, so that a replay decides the same. */
    private static double jitter(StepJudgement ended) {
        return Math.floorMod(ended.step().nonce().hashCode(), 1000) / 1000.0;
    }

    private static RuleResult nextAgent(RunState state, StepJudgement ended, ErrorContext error, Instant at) {
        Optional<Retry> before = earlier(state, ended);
        int fallback = before.map(Retry::fallback).orElse(0) + 1;
        String agent = fallbackAfter(state, ended).orElseThrow();
        RetryPolicy policy = state.plan().manifest().retry();
        Optional<Instant> said = error.isTransient() ? back(policy, ended, error) : Optional.empty();
        Optional<Instant> back = soonestBack(before, said);
        return new RuleResult.TryAgain(retry(state, ended, agent, 0, fallback, at, error, back));
    }

    private static Retry retry(
            RunState state,
            StepJudgement ended,
            String agent,
            int tries,
            int fallback,
            Instant due,
            ErrorContext error,
            Optional<Instant> back) {
        int nudges = earlier(state, ended)
                .filter(earlier -> earlier.agent().equals(agent))
                .map(Retry::nudges)
                .orElse(0);
        return new Retry(
                ended.step().slot(),
                agent,
                ended.step().attempt(),
                tries,
                fallback,
                due,
                true,
                error,
                back,
                RetryReason.ERROR,
                nudges);
    }

    private static Optional<Retry> earlier(RunState state, StepJudgement ended) {
        return Optional.ofNullable(state.retries().get(ended.step().slot().key()));
    }

    private static Optional<String> fallbackAfter(RunState state, StepJudgement ended) {
        int tried = earlier(state, ended).map(Retry::fallback).orElse(0);
        String own = StepAgents.agentOf(state, ended.step().slot())
                .orElse(ended.step().agent());
        List<String> fallbacks =
                state.plan().manifest().agent(own).map(AgentSpec::fallback).orElse(List.of());
        return tried < fallbacks.size() ? Optional.of(fallbacks.get(tried)) : Optional.empty();
    }
}
