package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What holds a run up, {@code pause} in JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION, defaultImpl = Hold.Wait.class)
@JsonSubTypes({@JsonSubTypes.Type(Hold.Pause.class), @JsonSubTypes.Type(Hold.Wait.class)})
public sealed interface Hold {
    /** When the run goes on by itself. */
    Optional<Instant> resumeAt();

    /**
     * Nothing runs until a retry or a provider's reset is due, e.g. {@code {"resumeAt": "2026-11-20T15:30:00Z"}}.
     *
     * @param due when it goes on by itself, {@code resumeAt} in JSON
     */
    record Wait(@JsonProperty("resumeAt") Instant due) implements Hold {
        @Override
        public Optional<Instant> resumeAt() {
            return Optional.of(due);
        }
    }

    /**
     * Nothing runs until a person acts, e.g. {@code {"reason": "missing_signals", "detail": "absent", ...}}.
     *
     * @param detail finer than the reason, e.g. {@code absent}
     * @param stepId the step that led here
     * @param message for people, one line that names the step and what it said
     * @param questions what the agent asks; empty for none
     * @param keyConcern what worries the agent most
     * @param anomalyType the agent's own word for it
     * @param gaps what the agent misses; empty for nothing
     * @param errorContext why the step ended early
     * @param refusedValue for what the step's signal was refused, as JSON
     * @param allowedActions what may follow, in the order in which it is offered
     * @param resumeAt when it goes on by itself all the same
     */
    record Pause(
            PauseReason reason,
            Optional<String> detail,
            Optional<String> stepId,
            String message,
            List<String> questions,
            Optional<String> keyConcern,
            Optional<String> anomalyType,
            List<String> gaps,
            Optional<ErrorContext> errorContext,
            Optional<String> refusedValue,
            List<ResumeAction> allowedActions,
            Instant since,
            Optional<Instant> resumeAt)
            implements Hold {

        /** What is not told is said in no words. */
        public Pause {
            message = message == null ? "" : message;
        }
    }
}
