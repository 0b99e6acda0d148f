package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The condition of a run, with exactly the facts that apply to it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Condition.Queued.class, name = "queued"),
    @JsonSubTypes.Type(value = Condition.Running.class, name = "running"),
    @JsonSubTypes.Type(value = Condition.Waiting.class, name = "waiting"),
    @JsonSubTypes.Type(value = Condition.Paused.class, name = "paused"),
    @JsonSubTypes.Type(value = Condition.Stopping.class, name = "stopping"),
    @JsonSubTypes.Type(value = Condition.Ended.class, name = "ended")
})
public sealed interface Condition {
    /** The status that clients see. */
    @JsonIgnore
    RunStatus status();

    /** Whether the run does nothing until a person or client resumes it. */
    @JsonIgnore
    default boolean atRest() {
        return false;
    }

    /** Whether steps run or a retry is pending. */
    default boolean proceeds() {
        return false;
    }

    /** The current pause, also while the run waits for a slot. */
    @JsonIgnore
    default Optional<Pause> held() {
        return Optional.empty();
    }

    /**
     * Created but not started, or resumed but without a slot.
     *
     * @param start whether it starts as soon as a slot is free
     * @param pendingResume the pending resume, if any
     */
    record Queued(
            boolean start,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PendingResume> pendingResume) implements Condition {
        /** Whether the run does not start automatically. */
        @Override
        public boolean atRest() {
            return !start && pendingResume.isEmpty();
        }

        /** When the run begins; absent: as soon as a slot is free. */
        @JsonIgnore
        public Optional<Instant> later() {
            return pendingResume.flatMap(pending -> pending.request().at());
        }

        /** The condition before the resume; absent when the run never started. */
        @JsonIgnore
        public Optional<Condition> rest() {
            return pendingResume.flatMap(PendingResume::rest);
        }

        @Override
        public Optional<Pause> held() {
            return rest().flatMap(Condition::held);
        }

        @Override
        public RunStatus status() {
            return RunStatus.QUEUED;
        }
    }

    /**
     * A resume that waits for a slot.
     *
     * @param rest {@link Paused} or {@link Ended}; absent: the run was never started
     * @param by as in {@link RunQueued}
     */
    record PendingResume(Optional<Condition> rest, ResumeRequest request, String by, Instant since) {}

    /** Steps are running. */
    record Running() implements Condition {
        @Override
        public boolean proceeds() {
            return true;
        }

        @Override
        public RunStatus status() {
            return RunStatus.RUNNING;
        }
    }

    /**
     * The run waits for a retry, or for other runs.
     *
     * @param resumeAt when it continues; absent when unknown
     * @param hold why it waits for other runs; absent for a retry
     */
    record Waiting(
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> resumeAt,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LaunchHold> hold)
            implements Condition {
        @Override
        public boolean proceeds() {
            return true;
        }

        @Override
        public RunStatus status() {
            return RunStatus.WAITING;
        }
    }

    /**
     * The run waits for a person.
     *
     * @param later the request that resumes it at {@code resumeAt}; absent: it continues then
     */
    record Paused(
            Pause pause,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<PendingResume> later) implements Condition {
        /** A pause without a request for later. */
        public Paused(Pause pause) {
            this(pause, Optional.empty());
        }

        @Override
        public boolean atRest() {
            return pause.resumeAt().isEmpty();
        }

        @Override
        public Optional<Pause> held() {
            return Optional.of(pause);
        }

        @Override
        public RunStatus status() {
            return RunStatus.PAUSED;
        }
    }

    /**
     * The execution ends when its open steps have ended.
     *
     * @param causes one or more
     * @param graceful whether open steps may complete and count; otherwise they are ended
     * @param now whether the grace is skipped
     * @param sweeping whether no step is open and processes of earlier steps are being ended again
     */
    record Stopping(List<EndReason> causes, boolean graceful, boolean now, Instant since, boolean sweeping)
            implements Condition {
        @Override
        public RunStatus status() {
            return RunStatus.STOPPING;
        }
    }

    /** The execution has ended; {@code stopReason} names the threshold that halted it, if one did. */
    record Ended(Termination termination, Optional<StopReason> stopReason) implements Condition {
        @Override
        public boolean atRest() {
            return true;
        }

        @Override
        public RunStatus status() {
            return RunStatus.after(termination.category());
        }
    }
}
