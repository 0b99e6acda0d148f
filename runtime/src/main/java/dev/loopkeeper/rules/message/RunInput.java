package dev.loopkeeper.rules.message;

import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An event or request for a run, with its time. */
public sealed interface RunInput {
    Instant at();

    /** Who requests it, as {@link dev.loopkeeper.run.Requester} says; empty where no person or program does. */
    default Optional<String> requester() {
        return Optional.empty();
    }

    /** Merges this input with a newer one that supersedes it; empty when each is decided separately. */
    default Optional<RunInput> joined(RunInput newer) {
        return Optional.empty();
    }

    /** A slot is free for a queued run. */
    record Start(Instant at) implements RunInput {}

    /**
     * A runtime took over the run.
     *
     * @param moved whether its open steps belonged to another node, or to this one before it lost its lease: their
     * processes are gone
     */
    record Recover(Instant at, boolean moved) implements RunInput {
        /** After a restart: processes of open steps may be alive. */
        public Recover(Instant at) {
            this(at, false);
        }
    }

    /** A step and all its processes have ended. */
    record StepEnded(Instant at, String stepId, StepOutcome outcome) implements RunInput {}

    /** A running step's signal file holds a valid signal. */
    record SignalSeen(Instant at, String stepId, Signal signal) implements RunInput {
        @Override
        public Optional<RunInput> joined(RunInput newer) {
            return newer instanceof SignalSeen seen && seen.stepId().equals(stepId)
                    ? Optional.of(new SignalSeen(at, stepId, seen.signal()))
                    : Optional.empty();
        }
    }

    /** The total usage of a running step. */
    record UsageSeen(Instant at, String stepId, Usage usage) implements RunInput {
        @Override
        public Optional<RunInput> joined(RunInput newer) {
            return newer instanceof UsageSeen seen && seen.stepId().equals(stepId)
                    ? Optional.of(new UsageSeen(at, stepId, Spending.most(usage, seen.usage())))
                    : Optional.empty();
        }
    }

    /** A running step's agent reports its own retry. */
    record AgentRetries(Instant at, String stepId, OwnRetry retry) implements RunInput {}

    /**
     * A running step asks a person.
     *
     * @param key of the command that asks; a repeated key is the same ask
     * @param patience how long it waits for an answer
     */
    record Ask(Instant at, String stepId, String key, String question, List<String> choices, Duration patience)
            implements RunInput {}

    /**
     * A person answers an ask.
     *
     * @param by who answers
     */
    record Answer(Instant at, String askId, String answer, String by) implements RunInput {}

    /** The results of a {@link RunCommand.Sweep}, by step. */
    record Swept(Instant at, List<StepSwept> steps) implements RunInput {}

    /** The result of a git command. */
    record GitDone(Instant at, RunCommand.Git order, GitResult result) implements RunInput {}

    /**
     * The result of a {@link RunCommand.ReadItems}.
     *
     * @param items items of the file; empty after a problem
     * @param problem why they cannot be read, with the position
     */
    record ItemsRead(Instant at, String phase, List<ItemSpec> items, Optional<String> problem) implements RunInput {}

    /** Steps at these positions may be launched now; see {@link RunCommand.AskPermit}. */
    record Permitted(Instant at, Set<String> slots) implements RunInput {
        public Permitted {
            slots = Set.copyOf(slots);
        }
    }

    /** A launch must wait for other runs; see {@link RunCommand.AskPermit}. */
    record Held(Instant at, LaunchHold hold) implements RunInput {}

    /** The time of {@link RunCommand.WakeAt} has come. */
    record TimerDue(Instant at) implements RunInput {}

    /**
     * A request to stop the run.
     *
     * @param cause {@code OPERATOR}, {@code SIGNAL} or {@code NODE_LOST}
     * @param now whether the grace is skipped
     */
    record Stop(Instant at, StopCause cause, Optional<String> reason, boolean now, Optional<String> requester)
            implements RunInput {
        /** A request of no person. */
        public Stop(Instant at, StopCause cause, Optional<String> reason, boolean now) {
            this(at, cause, reason, now, Optional.empty());
        }

        Stop with(Stop newer) {
            return new Stop(at, cause, reason, now || newer.now(), requester);
        }
    }

    /**
     * A request to end the run with a reason of the client.
     *
     * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
     */
    record End(Instant at, String reasonCode, String summary, Optional<String> qualifier, Optional<String> requester)
            implements RunInput {}

    /**
     * A request to pause the run before its next step.
     *
     * @param due when to pause; absent: now
     */
    record Pause(Instant at, Optional<String> reason, Optional<Instant> due, Optional<String> requester)
            implements RunInput {
        /** A request of no person, to pause now. */
        public Pause(Instant at, Optional<String> reason) {
            this(at, reason, Optional.empty(), Optional.empty());
        }
    }

    /**
     * A request to resume the run.
     *
     * @param workspaceGone whether the run's workspace is no longer a folder
     * @param pausedAt since when the pause lasts that is answered; refused if the run has left this pause
     */
    record Resume(
            Instant at,
            ResumeRequest request,
            boolean workspaceGone,
            Optional<String> requester,
            Optional<Instant> pausedAt)
            implements RunInput {
        /** A request of a run whose workspace is there. */
        public Resume(Instant at, ResumeRequest request) {
            this(at, request, false, Optional.empty(), Optional.empty());
        }
    }

    /**
     * An external notice without effect on the run.
     *
     * @param code of the notice, e.g. {@code control-file-refused}
     * @param once key of a notice that the run records only once
     */
    record Remark(Instant at, String code, String message, Optional<String> once) implements RunInput {
        public Remark(Instant at, String code, String message) {
            this(at, code, message, Optional.empty());
        }

        /** A notice that the run records once for its code. */
        public static Remark once(Instant at, String code, String message) {
            return new Remark(at, code, message, Optional.of(code));
        }
    }

    /**
     * The machine fails the run: its store or disk is not writable.
     *
     * @param stop a stop that was requested in the meantime and is not recorded; it takes precedence
     */
    record Broken(Instant at, String message, Optional<Stop> stop) implements RunInput {
        public Broken(Instant at, String message) {
            this(at, message, Optional.empty());
        }

        @Override
        public Optional<RunInput> joined(RunInput newer) {
            if (!(newer instanceof Stop asked)) {
                return Optional.empty();
            }
            Instant latest = asked.at().isAfter(at) ? asked.at() : at;
            Stop both = stop.map(earlier -> earlier.with(asked)).orElse(asked);
            return Optional.of(new Broken(latest, message, Optional.of(both)));
        }
    }
}
