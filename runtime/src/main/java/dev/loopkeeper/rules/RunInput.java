package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.Spending;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something that happened, or that somebody asks for, with the time at which it did. */
public sealed interface RunInput {
    /** When. */
    Instant at();

    /** One input in this one's place that says what {@code newer} says too; empty where each is decided by itself. */
    default Optional<RunInput> joined(RunInput newer) {
        return Optional.empty();
    }

    /** There is a place for a queued run. */
    record Start(Instant at) implements RunInput {}

    /**
     * A runtime has taken the run over and asks what is to be done.
     *
     * @param moved whether its open steps were another node's, or this one's before it lost its lease: they are gone
     */
    record Recover(Instant at, boolean moved) implements RunInput {
        /** After a restart: open steps may live. */
        public Recover(Instant at) {
            this(at, false);
        }
    }

    /** A step and all its processes are gone. */
    record StepEnded(Instant at, String stepId, StepOutcome outcome) implements RunInput {}

    /** A running step's signal file holds a valid signal. */
    record SignalSeen(Instant at, String stepId, Signal signal) implements RunInput {}

    /** A running step has used so much in all. */
    record UsageSeen(Instant at, String stepId, Usage usage) implements RunInput {
        @Override
        public Optional<RunInput> joined(RunInput newer) {
            return newer instanceof UsageSeen seen && seen.stepId().equals(stepId)
                    ? Optional.of(new UsageSeen(at, stepId, Spending.most(usage, seen.usage())))
                    : Optional.empty();
        }
    }

    /** A running step's agent says that it tries again by itself. */
    record AgentRetries(Instant at, String stepId, OwnRetry retry) implements RunInput {}

    /** What became of a {@link RunCommand.Sweep}, step by step. */
    record Swept(Instant at, List<StepSwept> steps) implements RunInput {}

    /** What became of something that was asked of git. */
    record GitDone(Instant at, RunCommand.Git order, GitResult result) implements RunInput {}

    /**
     * What became of a {@link RunCommand.ReadItems}.
     *
     * @param items those of the file; empty where there is a problem
     * @param problem why they cannot be had, with the place
     */
    record ItemsRead(Instant at, String phase, List<ItemSpec> items, Optional<String> problem) implements RunInput {}

    /** The time that was asked for by {@link RunCommand.WakeAt} has come. */
    record TimerDue(Instant at) implements RunInput {}

    /**
     * The run is to stop.
     *
     * @param cause {@code OPERATOR}, {@code SIGNAL} or {@code NODE_LOST}
     * @param now whether the grace is skipped
     */
    record Stop(Instant at, StopCause cause, Optional<String> reason, boolean now) implements RunInput {}

    /**
     * The run is to end with a reason of the caller's.
     *
     * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
     */
    record End(Instant at, String reasonCode, String summary, Optional<String> qualifier) implements RunInput {}

    /** The run is to pause before its next step. */
    record Pause(Instant at, Optional<String> reason) implements RunInput {}

    /** The run is to go on. */
    record Resume(Instant at, ResumeRequest request) implements RunInput {}

    /**
     * Something outside is worth a notice: it changes nothing.
     *
     * @param code of the notice, e.g. {@code control-file-refused}
     */
    record Remark(Instant at, String code, String message) implements RunInput {}

    /** The machine fails the run: its store or disk cannot be written. */
    record Broken(Instant at, String message) implements RunInput {}
}
