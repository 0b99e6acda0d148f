package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.OwnRetries;
import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.workspace.LastChange;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Tracks one step from its launch to its end. Used from one context; its output from one worker. */
final class OpenedStep {
    private final StepSpec spec;
    private final StepOutput output;
    private final boolean lost;
    private OptionalLong pid = OptionalLong.empty();
    private boolean preparing;
    private boolean unlaunched;
    private boolean pathBlocked;
    private boolean ending;
    private Optional<Duration> stopsWithin = Optional.empty();
    private Optional<String> stoppedBy = Optional.empty();
    private Optional<GitFailure> gitFailure = Optional.empty();
    private Usage reported = Usage.UNKNOWN;
    private boolean failed;
    private int retriesReported;
    private boolean truncationReported;
    private boolean lingeringReported;
    private Optional<Activity> activity = Optional.empty();
    private Future<StepOutput.SoFar> reading = Future.succeededFuture(StepOutput.SoFar.NOTHING);

    /**
     * @param readers create the output reader of a step
     * @param host where agents that run here keep their sessions
     */
    OpenedStep(StepSpec spec, Path data, Function<StepSpec, AgentOutputReader> readers, String host) {
        this(spec, data, readers, host, false);
    }

    private OpenedStep(
            StepSpec spec, Path data, Function<StepSpec, AgentOutputReader> readers, String host, boolean lost) {
        this.spec = spec;
        this.lost = lost;
        Path folder = RunPaths.step(data, spec.runId(), spec.stepId());
        OutputDialect dialect = spec.agentSpec().program().output();
        this.output = new StepOutput(
                folder,
                dialect,
                readers.apply(spec),
                new Lingering(
                        spec.agentSpec().limits().idleTimeout(),
                        Clock.systemUTC(),
                        () -> LastChange.in(Path.of(spec.workspace()), data)),
                spec.continues(),
                host);
    }

    /** Creates a step of a lost node, whose output is not available here. */
    static OpenedStep lost(StepSpec spec, Path data, Function<StepSpec, AgentOutputReader> readers) {
        return new OpenedStep(spec, data, readers, "", true);
    }

    boolean isLost() {
        return lost;
    }

    StepSpec spec() {
        return spec;
    }

    StepOutput output() {
        return output;
    }

    boolean isText() {
        return spec.agentSpec().program().output() == OutputDialect.TEXT;
    }

    Optional<SignalLocation> signalLocation() {
        return spec.agentSpec()
                .program()
                .signal()
                .map(file -> new SignalLocation(
                        spec.runId(),
                        spec.stepId(),
                        spec.workspace(),
                        file,
                        new SignalExpectation(
                                spec.nonce(),
                                spec.identity().attempt(),
                                spec.identity().iteration())));
    }

    OptionalLong pid() {
        return pid;
    }

    void launched(OptionalLong agent) {
        pid = agent;
    }

    /** Why the step got no worktree, if that prevented its launch. */
    Optional<GitFailure> gitFailure() {
        return gitFailure;
    }

    void withoutWorktree(Optional<GitFailure> why) {
        gitFailure = why;
    }

    /** Whether its signal file could not be removed, which prevented its launch. */
    boolean isPathBlocked() {
        return pathBlocked;
    }

    void pathBlocked() {
        pathBlocked = true;
    }

    /** Who requested its end first, if a person or program did. */
    Optional<String> stoppedBy() {
        return stoppedBy;
    }

    void stoppedBy(String requester) {
        stoppedBy = stoppedBy.or(() -> Optional.ofNullable(requester));
    }

    /** Whether its worktree is being created. */
    boolean isPreparing() {
        return preparing;
    }

    void preparing(boolean now) {
        preparing = now;
    }

    /** Whether a stop was requested before its launch. */
    boolean isUnlaunched() {
        return unlaunched;
    }

    void unlaunched() {
        unlaunched = true;
    }

    /** Records a requested stop and the grace of the agent; an earlier, shorter grace stays. */
    void stopBy(Duration grace) {
        stopsWithin = stopsWithin.filter(before -> before.compareTo(grace) < 0).or(() -> Optional.of(grace));
    }

    /** Grace that its agent has to exit; absent while no stop is requested. */
    Optional<Duration> stopsWithin() {
        return stopsWithin;
    }

    boolean isEnding() {
        return ending;
    }

    /** Marks the step as ending; returns true for the first caller only. */
    boolean beginEnding() {
        boolean first = !ending;
        ending = true;
        return first;
    }

    /** Stops reading output and signals until the step ends; returns true for the first caller only. */
    boolean beginFailure() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    /**
     * Reads the output unless a read is in progress or the step is ending. Reads never overlap, including the last one.
     */
    Future<StepOutput.SoFar> look(Supplier<Future<StepOutput.SoFar>> look) {
        if (ending || failed || !reading.isComplete()) {
            return Future.succeededFuture(StepOutput.SoFar.NOTHING);
        }
        reading = look.get();
        return reading;
    }

    /** Whether this usage differs from the last reported one; {@code UNKNOWN} never does. */
    boolean isNews(Usage usage) {
        boolean changed = !usage.equals(Usage.UNKNOWN) && !usage.equals(reported);
        reported = changed ? usage : reported;
        return changed;
    }

    /** Returns the agent's own retry if it was not reported yet. */
    Optional<OwnRetry> newRetry(OwnRetries retries) {
        boolean more = retries.count() > retriesReported;
        retriesReported = Math.max(retriesReported, retries.count());
        return more ? retries.last() : Optional.empty();
    }

    /** Whether its agent has truncated a log; true once only. */
    boolean isNewlyTruncated() {
        boolean first = output.isTruncated() && !truncationReported;
        truncationReported |= first;
        return first;
    }

    /** Returns true for the first caller only. */
    boolean beginLingering() {
        boolean first = !lingeringReported;
        lingeringReported = true;
        return first;
    }

    /** Records the current activity of the step. */
    void does(String text, Instant at) {
        if (activity.filter(known -> known.text().equals(text)).isEmpty()) {
            activity = Optional.of(new Activity(spec.stepId(), text, at));
        }
    }

    /** Latest activity; empty once the step is ending. */
    Optional<Activity> activity() {
        return ending ? Optional.empty() : activity;
    }

    /** Completes when no read is in progress. */
    Future<Void> looked() {
        return reading.<Void>mapEmpty().otherwiseEmpty();
    }
}
