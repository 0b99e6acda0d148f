package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.run.ActiveTime;
import dev.loopkeeper.run.Execution;
import dev.loopkeeper.run.LastVerdict;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One run as people and programs see it: the run object of the API, of the feed's snapshot and of {@code show --json}.
 * One part here is one field there, so there are as many of them.
 *
 * <pre>{@code
 * if (run.status() == RunStatus.PAUSED) {
 *     run.pause().ifPresent(pause -> ask(pause.questions(), pause.allowedActions()));
 * }
 * }</pre>
 *
 * @param runId e.g. {@code fix-flaky-tests-20261120-151233-x7k2}; stays across resumes
 * @param name of the manifest
 * @param execution number of the present or last one, from 1; 1 before the first
 * @param sequence of its newest event, from 1
 * @param pause what it needs of a person; absent unless it is paused
 * @param waiting what it waits for until it resumes automatically; absent unless it is waiting
 * @param stopReason the threshold that halted it, if one did
 * @param termination how the last execution ended; absent while the run has not ended
 * @param terminalExhaustion of an abnormal ending, until a resume proves it overcome
 * @param terminalExhaustionHistory those that were overcome, oldest first
 * @param resumable false only for completed runs
 * @param resumeFrom where the next work would begin; only while it is paused, or ended without success
 * @param executions oldest first; empty before the first
 * @param workspace absolute path of the folder in which the agents work; absent only in what older versions recorded
 * @param startedAt when the first execution began
 * @param endedAt when the last execution ended; absent while the run has not ended
 * @param activeMs how long it has been under way: not queued, paused, waiting or over
 * @param activeSince since when it is under way, which {@code activeMs} does not hold yet; only in what is recorded
 * @param limits in force
 * @param phases all of the plan, in order
 * @param last how the work goes, as it was last said; absent until something was
 * @param owner the node that carries it out; absent without a cluster, and while nobody does
 * @param git what it has done in its worktree; absent where it has none
 * @param openSteps those that run now, the oldest first; at most as many as run at once
 * @param activity what a step does now; told by a server that carries the run out, or asks the node that does
 * @param waitsFor the node without which it does not go on, for people, e.g. {@code n1, silent 3 m}; only in a cluster, while
 *     nobody carries it out
 */
public record Run(
        String runId,
        String name,
        RunStatus status,
        int execution,
        long sequence,
        Position position,
        Optional<RunPause> pause,
        Optional<PendingRetry> waiting,
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
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Activity> activity,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> waitsFor) {

    /** What a run's record does not tell is not known. */
    public Run {
        position = position == null ? Position.NOWHERE : position;
        usage = usage == null ? TotalUsage.UNKNOWN : usage;
        statistics = statistics == null ? RunStatistics.NONE : statistics;
        limits = limits == null ? RunLimits.NONE : limits;
        phases = phases == null ? List.of() : phases;
        openSteps = openSteps == null ? List.of() : openSteps;
        activeSince = activeSince == null ? Optional.empty() : activeSince;
    }

    /** The same as it is shown now. */
    public Run at(Instant now) {
        return activeSince.isEmpty()
                ? this
                : new Run(
                        runId,
                        name,
                        status,
                        execution,
                        sequence,
                        position,
                        pause,
                        waiting,
                        usage,
                        statistics,
                        stopReason,
                        termination,
                        terminalExhaustion,
                        terminalExhaustionHistory,
                        resumable,
                        resumeFrom,
                        executions,
                        workspace,
                        createdAt,
                        startedAt,
                        endedAt,
                        new ActiveTime(activeMs, activeSince).until(now),
                        Optional.empty(),
                        limits,
                        phases,
                        last,
                        owner,
                        git,
                        openSteps,
                        activity,
                        waitsFor);
    }

    /** Whether nothing happens any more unless somebody asks for it. */
    public boolean atRest() {
        return status.isEnded() || (status == RunStatus.PAUSED && resumeAt().isEmpty());
    }

    /** When it goes on by itself; absent where it does not wait for a time. */
    public Optional<Instant> resumeAt() {
        return pause.flatMap(RunPause::resumeAt).or(() -> waiting.map(PendingRetry::resumeAt));
    }
}
