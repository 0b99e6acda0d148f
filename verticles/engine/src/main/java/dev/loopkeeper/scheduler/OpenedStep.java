package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.OwnRetries;
import dev.loopkeeper.contract.signal.SignalPlace;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.GitFailure;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.view.Activity;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A step in the scheduler's hands, from its launch to its end. Used from one context; its output from one worker. */
final class OpenedStep {
    private final StepSpec spec;
    private final StepOutput output;
    private final boolean lost;
    private OptionalLong pid = OptionalLong.empty();
    private boolean preparing;
    private boolean unlaunched;
    private boolean placeBlocked;
    private boolean ending;
    private Optional<Duration> stopsWithin = Optional.empty();
    private Optional<GitFailure> gitTrouble = Optional.empty();
    private Usage told = Usage.UNKNOWN;
    private boolean flawed;
    private int retriesTold;
    private boolean truncationTold;
    private Optional<Activity> activity = Optional.empty();
    private Optional<Signal> held = Optional.empty();
    private Future<OutputSoFar> looking = Future.succeededFuture(OutputSoFar.NOTHING);

    /**
     * @param readers make the reader of a dialect that goes by these rules
     * @param place what has the sessions of agents that run here
     */
    OpenedStep(
            StepSpec spec, Path data, BiFunction<OutputDialect, ErrorRules, AgentOutputReader> readers, String place) {
        this(spec, data, readers, place, false);
    }

    private OpenedStep(
            StepSpec spec,
            Path data,
            BiFunction<OutputDialect, ErrorRules, AgentOutputReader> readers,
            String place,
            boolean lost) {
        this.spec = spec;
        this.lost = lost;
        Path folder = RunPaths.step(data, spec.runId(), spec.stepId());
        OutputDialect dialect = spec.program().output();
        this.output = new StepOutput(
                folder, dialect, readers.apply(dialect, ErrorRules.with(spec.errors())), spec.continues(), place);
    }

    /** One of a node that was lost, whose output nobody has here. */
    static OpenedStep lost(StepSpec spec, Path data, BiFunction<OutputDialect, ErrorRules, AgentOutputReader> readers) {
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
        return spec.program().output() == OutputDialect.TEXT;
    }

    Optional<SignalPlace> signalPlace() {
        return spec.program()
                .signal()
                .map(file -> new SignalPlace(spec.runId(), spec.stepId(), spec.workspace(), file));
    }

    SignalExpectation expectation() {
        return new SignalExpectation(spec.nonce(), spec.attempt(), spec.iteration());
    }

    OptionalLong pid() {
        return pid;
    }

    void launched(OptionalLong agent) {
        pid = agent;
    }

    /** Why it got no worktree, if that is why it was not launched. */
    Optional<GitFailure> gitTrouble() {
        return gitTrouble;
    }

    void withoutWorktree(Optional<GitFailure> why) {
        gitTrouble = why;
    }

    /** Whether the place of its signal could not be made free, so that it was not launched. */
    boolean isPlaceBlocked() {
        return placeBlocked;
    }

    void placeBlocked() {
        placeBlocked = true;
    }

    /** Whether its worktree is being made. */
    boolean isPreparing() {
        return preparing;
    }

    void preparing(boolean now) {
        preparing = now;
    }

    /** Whether it was to stop before it was launched. */
    boolean isUnlaunched() {
        return unlaunched;
    }

    void unlaunched() {
        unlaunched = true;
    }

    /** It is to stop, and its agent has this long; a shorter time that was asked for before stays. */
    void stopBy(Duration grace) {
        stopsWithin = stopsWithin.filter(before -> before.compareTo(grace) < 0).or(() -> Optional.of(grace));
    }

    /** How long its agent had to end by itself; absent while nobody wants it to stop. */
    Optional<Duration> stopsWithin() {
        return stopsWithin;
    }

    boolean isEnding() {
        return ending;
    }

    /** True for the first caller only. */
    boolean beginEnding() {
        boolean first = !ending;
        ending = true;
        return first;
    }

    /** Keeps what its signal file holds until it is taken, in place of what is kept; true when nothing was. */
    boolean hold(Signal signal) {
        boolean first = held.isEmpty();
        held = Optional.of(signal);
        return first;
    }

    /** Takes what was kept; nothing once the step has ended, whose end tells of its signal. */
    Optional<Signal> heldSignal() {
        Optional<Signal> taken = ending ? Optional.empty() : held;
        held = Optional.empty();
        return taken;
    }

    /** Nothing more is looked at before its end. True for the first caller only. */
    boolean beginFlaw() {
        boolean first = !flawed;
        flawed = true;
        return first;
    }

    /** Looks at the output unless a look is under way or the end has come; the looks and the last read take turns. */
    Future<OutputSoFar> look(Supplier<Future<OutputSoFar>> look) {
        if (ending || flawed || !looking.isComplete()) {
            return Future.succeededFuture(OutputSoFar.NOTHING);
        }
        looking = look.get();
        return looking;
    }

    /** Whether this says something that the last look at the output did not; {@code UNKNOWN} never does. */
    boolean isNews(Usage usage) {
        boolean changed = !usage.equals(Usage.UNKNOWN) && !usage.equals(told);
        told = changed ? usage : told;
        return changed;
    }

    /** Another try of the agent's own that no look has told before. */
    Optional<OwnRetry> newRetry(OwnRetries retries) {
        boolean more = retries.count() > retriesTold;
        retriesTold = Math.max(retriesTold, retries.count());
        return more ? retries.last() : Optional.empty();
    }

    /** Whether its agent has truncated a log; true once. */
    boolean isNewlyTruncated() {
        boolean first = output.isTruncated() && !truncationTold;
        truncationTold |= first;
        return first;
    }

    /** The step does, or says, this now. */
    void does(String text, Instant at) {
        if (activity.filter(known -> known.text().equals(text)).isEmpty()) {
            activity = Optional.of(new Activity(spec.stepId(), text, at));
        }
    }

    /** What it did or said last, while it runs. */
    Optional<Activity> activity() {
        return ending ? Optional.empty() : activity;
    }

    /** Completes when no look is under way. */
    Future<Void> looked() {
        return looking.<Void>mapEmpty().otherwiseEmpty();
    }
}
