package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.BackoffSpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.rules.RuleResult.AfterStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.RetryReason;
import dev.loopkeeper.step.Backoff;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides about errors outside the work: a delayed retry with the same agent, then its fallbacks, then a pause. The
 * pause ends automatically if a provider stated a reset time. Automatic resumes are limited until a success or a
 * person's resume. Permanent errors end the run at once.
 */
final class RecoveryLadder {
    private static final double NO_JITTER = 0.5;

    private final RunState state;
    private final StepJudgement ended;
    private final Instant at;
    private final RetryPolicy policy;
    private final BackoffSpec backoff;
    /** The record of earlier tries at the step's position. */
    private final Optional<Retry> before;

    private final int tries;
    private final int fallback;
    private final Optional<Instant> earlierResetTime;

    /** @param guarded whether launches of this agent take turns, so that delays need not be spread */
    RecoveryLadder(RunState state, StepJudgement ended, Instant at, boolean guarded) {
        this.state = state;
        this.ended = ended;
        this.at = at;
        this.policy = state.manifest().retry();
        this.backoff = guarded ? policy.backoff().steady() : policy.backoff();
        this.before = Optional.ofNullable(state.retries().get(ended.position().key()));
        this.tries = before.map(Retry::tries).orElse(0);
        this.fallback = before.map(Retry::fallback).orElse(0);
        this.earlierResetTime = before.flatMap(Retry::back);
    }

    /** The consequence of an error outside the work; empty when the step itself is judged. */
    Optional<RuleResult> afterError() {
        if (ended.cause() == ExitCause.NODE_LOST || diedWithTheRuntime()) {
            return afterLoss();
        }
        if (!StepErrors.isOwnEnd(ended)
                || !StepErrors.lostItsWork(ended)
                || ended.voluntary()
                || StepErrors.exitCodeDecides(state, ended)) {
            return Optional.empty();
        }
        if (StepErrors.passes(ended)) {
            return Optional.of(tryAgain());
        }
        if (StepErrors.overflowed(ended)) {
            return Optional.of(afterOverflow());
        }
        boolean missing =
                ended.error().filter(error -> error.is(ErrorKind.MODEL_MISSING)).isPresent();
        if (missing && nextFallback().isPresent()) {
            return Optional.of(nextAgent(Optional.empty()));
        }
        return StepErrors.lasting(ended).map(this::end);
    }

    private RuleResult end(StandardReason reason) {
        String said = ended.error()
                .map(Finding::line)
                .or(() -> ended.report().diagnostic())
                .orElse(reason.subtype());
        EndReason cause = EndReason.of(reason, ended.agent() + ": " + said).because(ended.error());
        return new RuleResult.End(cause, StopMode.TERMINATE, AfterStep.REDO);
    }

    /** Tries the same agent in a fresh session, then each fallback once; then the input is too large. */
    private RuleResult afterOverflow() {
        int fresh = state.overflows()
                .getOrDefault(RunState.overflowKey(ended.position().phase(), ended.agent()), 0);
        if (fallback == 0 && fresh < policy.overflow()) {
            return new RuleResult.TryAgain(sameAgent(error(), RetryReason.OVERFLOW));
        }
        return nextFallback()
                .map(agent -> retry(agent, 0, fallback + 1, at, error(), earlierResetTime))
                .<RuleResult>map(retry -> new RuleResult.TryAgain(retry.again(at, error(), RetryReason.OVERFLOW)))
                .orElseGet(() -> end(StandardReason.PROMPT_TOO_LONG));
    }

    /** A retry of the same agent at once, with the counts of the step's position. */
    private Retry sameAgent(ErrorContext cause, RetryReason why) {
        return retry(ended.agent(), tries, fallback, at, cause, earlierResetTime)
                .again(at, cause, why);
    }

    /** Retries once without the missing session, as part of the same attempt. */
    Optional<RuleResult> afterLostSession() {
        return SessionRules.isLost(ended)
                ? Optional.of(new RuleResult.TryAgain(sameAgent(error(), RetryReason.SESSION)))
                : Optional.empty();
    }

    /** Relaunches a finished step that left no valid signal, a limited number of times. */
    Optional<RuleResult> nudge() {
        boolean exitedWell =
                ended.cause() == ExitCause.EXITED && ended.exit().exitCode().orElse(1) == 0;
        int most = state.manifest()
                .agent(ended.agent())
                .map(agent -> agent.continuation().nudge())
                .orElse(0);
        return ended.invalid()
                .filter(invalid -> invalid.detail() != SignalDetail.STALE && exitedWell && !ended.voluntary())
                .map(invalid -> ErrorContext.of(ErrorKind.UNCLASSIFIED, invalid.message()))
                .map(missing -> sameAgent(missing, RetryReason.SIGNAL))
                .filter(again -> again.nudges() <= most)
                .map(RuleResult.TryAgain::new);
    }

    /** A handler is a part of the runtime: that one ended says nothing of its work. */
    private boolean diedWithTheRuntime() {
        return ended.cause() == ExitCause.RUNTIME_DIED && state.manifest().isHandler(ended.agent());
    }

    /** Limited like transient errors, since the agent may crash its nodes; then the run pauses for a person. */
    private Optional<RuleResult> afterLoss() {
        boolean retries = state.manifest()
                .agent(ended.agent())
                .filter(agent -> agent.loss().onNodeLoss() == OnNodeLoss.RETRY || diedWithTheRuntime())
                .isPresent();
        return retries && ended.failed() && tries < policy.transientErrors().max()
                ? Optional.of(sameAgentLater())
                : Optional.empty();
    }

    private RuleResult sameAgentLater() {
        return new RuleResult.TryAgain(
                retry(ended.agent(), tries + 1, fallback, at.plus(delay()), error(), earlierResetTime));
    }

    private RuleResult tryAgain() {
        int automaticResumes =
                state.automaticResumes().getOrDefault(ended.position().key(), 0);
        boolean waits = policy.transientErrors().waits() || !isLongOutage();
        boolean others = nextFallback().isPresent() || fallback > 0;
        // After an automatic resume each agent has one attempt: its others are used up.
        boolean again = tries < policy.transientErrors().max() && automaticResumes == 0;
        boolean tooOften = resetTime().isPresent() && isEnough();
        if (again && waits && !tooOften && !(others && isLongOutage())) { // no retry before the stated time succeeds
            return sameAgentLater();
        }
        if (nextFallback().isPresent()) {
            return nextAgent(resetTime());
        }
        Optional<Instant> reset = mayResume(automaticResumes)
                ? soonestReset(resetTime()).map(time -> notAtOnce(time, automaticResumes))
                : Optional.empty();
        String message = "the provider stays unavailable: " + error().message() + enough();
        Pause pause = Pause.of(PauseReason.PROVIDER_UNAVAILABLE, message, at).withDetail(error().kind());
        return new RuleResult.PauseFor(pause.at(ended.step()).withResumeAt(reset), AfterStep.REDO);
    }

    private ErrorContext error() {
        return ended.error().orElseThrow();
    }

    /** Limits automatic resumes, so that a provider's promises do not keep a run going forever. */
    private boolean mayResume(int automaticResumes) {
        int most = Math.max(1, policy.transientErrors().max());
        return policy.transientErrors().waits() && automaticResumes < most && !isEnough();
    }

    /** Whether the run has resumed automatically as often as it may since a person resumed it. */
    private boolean isEnough() {
        return state.automaticResumes().getOrDefault(RunState.WHOLE_RUN, 0)
                >= policy.transientErrors().automatic();
    }

    private String enough() {
        return isEnough()
                ? "; the run resumed automatically " + policy.transientErrors().automatic()
                        + " times since a person resumed it, the most that retry.transient.automatic permits"
                : "";
    }

    /** The provider's reset time, if it stated one; a delay within the backoff is not a reset. */
    private Optional<Instant> resetTime() {
        return stated().filter(time -> isWindow() || isLong(time));
    }

    /** Whether the provider stated an outage longer than the backoff. */
    private boolean isLongOutage() {
        return stated().filter(this::isLong).isPresent();
    }

    private boolean isWindow() {
        return error().is(ErrorKind.USAGE_WINDOW);
    }

    private Optional<Instant> stated() {
        return ended.report()
                .resumeAt()
                .or(() -> error().statedDelay().map(ended.exit().endedAt()::plus));
    }

    /** Counted from the end of the step, regardless of when this is decided. */
    private boolean isLong(Instant back) {
        return back.isAfter(ended.exit().endedAt().plus(backoff.max()));
    }

    /** The earliest stated reset of all providers; it may be past. */
    private Optional<Instant> soonestReset(Optional<Instant> said) {
        return Stream.concat(earlierResetTime.stream(), said.stream()).min(Comparator.naturalOrder());
    }

    /** Adds backoff, so that the run does not retry in a tight loop. */
    private Instant notAtOnce(Instant back, int automaticResumes) {
        Instant soonest = at.plus(Backoff.delay(backoff, automaticResumes + 1, NO_JITTER));
        return back.isAfter(soonest) ? back : soonest;
    }

    private Duration delay() {
        Optional<Duration> reset = ended.report()
                .resumeAt()
                .filter(time -> error().retryAfterMs().isEmpty() && time.isAfter(at))
                .map(time -> Duration.between(at, time));
        // Derived from the launch's nonce, so that a replay decides the same.
        double jitter = Math.floorMod(ended.step().nonce().hashCode(), 1000) / 1000.0;
        return Backoff.delay(backoff, error(), reset, tries + 1, jitter);
    }

    private RuleResult nextAgent(Optional<Instant> said) {
        String agent = nextFallback().orElseThrow();
        return new RuleResult.TryAgain(retry(agent, 0, fallback + 1, at, error(), soonestReset(said)));
    }

    private Retry retry(
            String agent, int tried, int fallbacks, Instant due, ErrorContext cause, Optional<Instant> reset) {
        int nudges = before.filter(earlier -> earlier.agent().equals(agent))
                .map(Retry::nudges)
                .orElse(0);
        int attempt = ended.step().attempt();
        return new Retry(
                ended.position(), agent, attempt, tried, fallbacks, due, true, cause, reset, RetryReason.ERROR, nudges);
    }

    private Optional<String> nextFallback() {
        String own = StepAgents.agentOf(state, ended.position()).orElse(ended.agent());
        List<String> fallbacks =
                state.manifest().agent(own).map(AgentSpec::fallback).orElse(List.of());
        return fallback < fallbacks.size() ? Optional.of(fallbacks.get(fallback)) : Optional.empty();
    }
}
