package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pause: why the run waits for a person, and the next actions.
 *
 * @param detail more precise than the reason, e.g. {@code absent}
 * @param stepId the step that caused the pause
 * @param message for people, one line that names the step and its concern
 * @param questions of the agent, here and below as in {@link #finding}
 * @param since time of the request; once the run has paused, time of the pause
 * @param resumeAt when the run resumes automatically
 * @param position of the step
 * @param accepted the step's summary if a person continues without its signal
 * @param by who requested it; absent where no person did
 */
@RecordBuilder
public record Pause(
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
        Optional<Instant> resumeAt,
        @JsonProperty("slot") Optional<StepPosition> position,
        Optional<StepSummary> accepted,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by)
        implements PauseBuilder.With {
    /** Leaves out of the JSON what {@link #shown} removes. */
    @JacksonAnnotationsInside
    @JsonIgnoreProperties({"slot", "accepted", "by"})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Shown {}

    public static Pause of(PauseReason reason, String message, Instant since) {
        return PauseBuilder.builder()
                .reason(reason)
                .message(OneLine.of(message, OneLine.SUMMARY))
                .questions(List.of())
                .gaps(List.of())
                .allowedActions(reason.allowedActions())
                .since(since)
                .build();
    }

    /** Who requested the pause, e.g. {@code  (by alice)}; empty where no person did. */
    public String requested() {
        return by.map(who -> " (by " + who + ")").orElse("");
    }

    /** The finding of the step. */
    public Finding finding() {
        return new Finding(keyConcern, anomalyType, gaps, questions, errorContext, refusedValue);
    }

    public Pause at(OpenStep open) {
        return withStepId(Optional.of(open.stepId())).withPosition(Optional.of(open.position()));
    }

    /** The pause as clients see it. */
    public Pause shown() {
        return withPosition(Optional.empty()).withAccepted(Optional.empty()).withBy(Optional.empty());
    }

    public Pause saying(String other) {
        return withMessage(OneLine.of(other, OneLine.SUMMARY));
    }

    public Pause withDetail(String finer) {
        return withDetail(Optional.of(finer));
    }

    /** Returns a copy with this step's finding. */
    public Pause withFinding(String ofStep, Finding said) {
        return with().stepId(Optional.of(ofStep))
                .keyConcern(said.keyConcern())
                .anomalyType(said.anomalyType())
                .gaps(said.gaps())
                .questions(said.questions())
                .errorContext(said.errorContext())
                .refusedValue(said.refusedValue())
                .build();
    }

    /** Returns a copy with this summary if a person continues without the step's signal. */
    public Pause accepting(StepSummary note) {
        return withAccepted(Optional.of(note));
    }

    /** Removes the actions that require an undeclared agent. */
    public Pause offering(Manifest manifest) {
        List<ResumeAction> possible = allowedActions.stream()
                .filter(action -> action.agent()
                        .filter(agent -> manifest.agent(agent).isEmpty())
                        .isEmpty())
                .toList();
        return withAllowedActions(possible);
    }
}
