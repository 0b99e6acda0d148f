package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where a run stands, with just the facts that are true there. */
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
    /** The one word for it. */
    @JsonIgnore
    RunStatus status();

    /** Whether nothing happens any more unless somebody asks for it. */
    @JsonIgnore
    default boolean atRest() {
        return false;
    }

    /** The pause it stands in, also while it waits for a place. */
    @JsonIgnore
    default Optional<Pause> held() {
        return Optional.empty();
    }

    /**
     * Created, not started; or to go on, without a place.
     *
     * @param start whether it starts as soon as there is a place
     * @param wish what is to be done then, if it is more than to start
     */
    record Queued(
            boolean start,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Wish> wish) implements Condition {
        /** One that is not to start by itself. */
        @Override
        public boolean atRest() {
            return !start && wish.isEmpty();
        }

        /** Where it stood when it was asked to go on; absent: it was never started. */
        @JsonIgnore
        public Optional<Condition> rest() {
            return wish.flatMap(Wish::rest);
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
     * What was asked for while there was no place.
     *
     * @param rest {@link Paused} or {@link Ended}; absent: the run was never started
     * @param by as in {@link RunQueued}
     */
    record Wish(Optional<Condition> rest, ResumeRequest request, String by, Instant since) {}

    /** Steps run. */
    record Running() implements Condition {
        @Override
        public RunStatus status() {
            return RunStatus.RUNNING;
        }
    }

    /** Nothing runs until a retry is due. */
    record Waiting(Instant resumeAt) implements Condition {
        @Override
        public RunStatus status() {
            return RunStatus.WAITING;
        }
    }

    /** Nothing runs until a person acts. */
    record Paused(Pause pause) implements Condition {
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
     * The execution ends once what runs is gone.
     *
     * @param causes one or more
     * @param graceful what runs is completed and counted; else it is ended
     * @param now whether the grace is skipped
     * @param sweeping no step is open, but survivors of earlier ones are being ended once more
     */
    record Stopping(List<EndReason> causes, boolean graceful, boolean now, Instant since, boolean sweeping)
            implements Condition {
        @Override
        public RunStatus status() {
            return RunStatus.STOPPING;
        }
    }

    /** The execution is over; {@code stopReason} names the threshold that halted it, if one did. */
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
