package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.policy.FiredAt;
import dev.loopkeeper.run.ActiveTime;
import dev.loopkeeper.run.Execution;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.Termination;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A run as clients see it: the run object of the API, of the feed's snapshot and of {@code show --json}. <pre>{@code if
 * (run.status() == RunStatus.PAUSED) { run.pause().ifPresent(pause -> ask(pause.questions(), pause.allowedActions()));
 * } }</pre>
 *
 * @param runId e.g. {@code fix-flaky-tests-20261120-151233-x7k2}; constant across resumes
 * @param name of the manifest
 * @param execution number of the current or last one, from 1; 1 before the first
 * @param sequence of its newest event, from 1
 * @param pause why it waits for a person; absent unless it is paused
 * @param waiting what it waits for until it resumes automatically; absent unless it is waiting
 * @param resumeAt when it begins or resumes automatically; absent when it does not wait for a time
 * @param pauseAt when it pauses, as an operator requested
 * @param stopReason the threshold that halted it, if one did
 * @param termination how the last execution ended; absent while the run has not ended
 * @param terminalExhaustion of an abnormal ending, until a successful resume clears it
 * @param terminalExhaustionHistory cleared ones, oldest first
 * @param resumable false only for completed runs
 * @param resumeFrom where a resume would continue; only while it is paused, or ended without success
 * @param executions oldest first; empty before the first
 * @param workspace absolute path of the folder in which the agents work; absent only in records of older versions
 * @param startedAt when the first execution began
 * @param endedAt when the last execution ended; absent while the run has not ended
 * @param activeMs its active time: not queued, paused, waiting or ended
 * @param activeSince beginning of the active period that {@code activeMs} does not include yet; only in records
 * @param limits current limits
 * @param phases all of the plan, in order
 * @param last the last rating of the work; absent before the first
 * @param owner the node that owns it; absent without a cluster or an owner
 * @param git its work in git; absent without a worktree
 * @param openSteps running steps, oldest first
 * @param asks open questions of its steps, oldest first
 * @param activity what a step does now; only from a server that owns the run or can query its owner
 * @param waitsFor the node that the run waits for, for people, e.g. {@code n1, silent 3 m}; only in a cluster, while
 * the run has no owner
 * @param schedule the fire that began it
 */
@RecordBuilder
public record Run(
        String runId,
        String name,
        RunStatus status,
        int execution,
        long sequence,
        Position position,
        @Pause.Shown Optional<Pause> pause,
        Optional<PendingWait> waiting,
        Optional<Instant> resumeAt,
        Optional<Instant> pauseAt,
        TotalUsage usage,
        RunStatistics statistics,
        Optional<StopReason> stopReason,
        Optional<Termination> termination,
        Optional<TerminalExhaustion> terminalExhaustion,
        List<ClearedExhaustion> terminalExhaustionHistory,
        boolean resumable,
        Optional<ResumePoint> resumeFrom,
        List<Execution> executions,
        Optional<String> workspace,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        long activeMs,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> activeSince,
        RunLimits limits,
        List<PhaseProgress> phases,
        Optional<LastVerdict> last,
        Optional<Owner> owner,
        Optional<GitWork> git,
        List<OpenStepView> openSteps,
        List<OpenAsk> asks,
        Optional<Activity> activity,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> waitsFor,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<FiredAt> schedule)
        implements RunBuilder.With {
    private static final Set<StandardReason> ON_REQUEST =
            Set.of(StandardReason.OPERATOR_STOP, StandardReason.INTERRUPTED);

    /** Missing fields become absent. */
    public Run {
        position = position == null ? Position.NOWHERE : position;
        usage = usage == null ? TotalUsage.UNKNOWN : usage;
        statistics = statistics == null ? RunStatistics.NONE : statistics;
        limits = limits == null ? RunLimits.NONE : limits;
        resumeAt = resumeAt.or(() -> pause.flatMap(Pause::resumeAt)).or(() -> waiting.flatMap(PendingWait::resumeAt));
    }

    /** Returns the run with its active time up to now. */
    public Run at(Instant now) {
        return activeSince.isEmpty()
                ? this
                : withActiveMs(new ActiveTime(activeMs, activeSince).until(now)).withActiveSince(Optional.empty());
    }

    /** Whether the run does nothing until a person or client resumes it. */
    public boolean atRest() {
        return status.isEnded()
                || (status == RunStatus.PAUSED && pause.flatMap(Pause::resumeAt).isEmpty());
    }

    /** Whether a stop is complete: the run has ended, or is paused because processes could not be killed. */
    public boolean stopComplete() {
        return status.isEnded()
                || pause.filter(found -> found.reason() == PauseReason.SURVIVORS)
                        .isPresent();
    }

    /**
     * Whether a person must act or decide: a step asks, the run is paused, or it ended without success and not by an
     * operator or a signal.
     */
    @JsonProperty(value = "needsAttention", access = JsonProperty.Access.READ_ONLY)
    public boolean needsAttention() {
        return !asks.isEmpty() || restsUnresolved();
    }

    private boolean restsUnresolved() {
        return atRest()
                && status != RunStatus.COMPLETED
                && termination
                        .map(Termination::subtype)
                        .flatMap(StandardReason::ofSubtype)
                        .filter(ON_REQUEST::contains)
                        .isEmpty();
    }
}
