package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pause: why the run waits for a person, and the next actions.
 *
 * @param detail more precise than the reason, e.g. {@code absent}
 * @param message for people, one line that names the step and its concern
 * @param step the step that caused the pause; JSON shows its parts beside the other fields
 * @param since time of the request; once the run has paused, time of the pause
 * @param resumeAt when the run resumes automatically
 * @param by who requested it; absent where no person did
 */
@RecordBuilder
public record Pause(
        PauseReason reason,
        Optional<String> detail,
        String message,
        @JsonIgnore Step step,
        List<ResumeAction> allowedActions,
        Instant since,
        Optional<Instant> resumeAt,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> by)
        implements PauseBuilder.With {
    /**
     * The step that caused a pause.
     *
     * @param position its position
     * @param finding its finding
     * @param accepted its summary if a person continues without its signal
     */
    @RecordBuilder
    public record Step(
            Optional<String> stepId, Optional<StepPosition> position, Finding finding, Optional<StepSummary> accepted)
            implements PauseStepBuilder.With {
        private static final Step NONE =
                new Step(Optional.empty(), Optional.empty(), Finding.NOTHING, Optional.empty());
    }

    /** Reads a record; older records have no finding. */
    @JsonCreator
    static Pause recorded(
            @JsonProperty("reason") PauseReason reason,
            @JsonProperty("detail") Optional<String> detail,
            @JsonProperty("stepId") Optional<String> stepId,
            @JsonProperty("message") String message,
            @JsonProperty("questions") List<String> questions,
            @JsonProperty("keyConcern") Optional<String> keyConcern,
            @JsonProperty("anomalyType") Optional<String> anomalyType,
            @JsonProperty("gaps") List<String> gaps,
            @JsonProperty("errorContext") Optional<ErrorContext> errorContext,
            @JsonProperty("refusedValue") Optional<String> refusedValue,
            @JsonProperty("allowedActions") List<ResumeAction> allowedActions,
            @JsonProperty("since") Instant since,
            @JsonProperty("resumeAt") Optional<Instant> resumeAt,
            @JsonProperty("slot") Optional<StepPosition> position,
            @JsonProperty("accepted") Optional<StepSummary> accepted,
            @JsonProperty("by") Optional<String> by) {
        Finding finding = new Finding(keyConcern, anomalyType, gaps, questions, errorContext, refusedValue);
        Step step = new Step(stepId, position, finding, accepted);
        return new Pause(reason, detail, message, step, allowedActions, since, resumeAt, by);
    }

    public static Pause of(PauseReason reason, String message, Instant since) {
        String line = OneLine.of(message, OneLine.SUMMARY);
        return new Pause(
                reason,
                Optional.empty(),
                line,
                Step.NONE,
                reason.allowedActions(),
                since,
                Optional.empty(),
                Optional.empty());
    }

    /** Who requested the pause, e.g. {@code  (by alice)}; empty where no person did. */
    public String requested() {
        return by.map(who -> " (by " + who + ")").orElse("");
    }

    @JsonProperty
    public Optional<String> stepId() {
        return step.stepId();
    }

    @JsonProperty("slot")
    public Optional<StepPosition> position() {
        return step.position();
    }

    @JsonProperty
    public Optional<StepSummary> accepted() {
        return step.accepted();
    }

    /** The finding of the step. */
    public Finding finding() {
        return step.finding();
    }

    /** The agent's questions. */
    @JsonProperty
    public List<String> questions() {
        return finding().questions();
    }

    /** The agent's main concern. */
    @JsonProperty
    public Optional<String> keyConcern() {
        return finding().keyConcern();
    }

    /** The agent's own name for the anomaly. */
    @JsonProperty
    public Optional<String> anomalyType() {
        return finding().anomalyType();
    }

    /** The gaps that the agent reports. */
    @JsonProperty
    public List<String> gaps() {
        return finding().gaps();
    }

    /** The error of the step. */
    @JsonProperty
    public Optional<ErrorContext> errorContext() {
        return finding().errorContext();
    }

    /** The invalid value of the step's signal. */
    @JsonProperty
    public Optional<String> refusedValue() {
        return finding().refusedValue();
    }

    public Pause at(OpenStep open) {
        return withStep(step.withStepId(Optional.of(open.stepId())).withPosition(Optional.of(open.position())));
    }

    public Pause saying(String other) {
        String line = OneLine.of(other, OneLine.SUMMARY);
        return withMessage(line);
    }

    public Pause withDetail(String finer) {
        return withDetail(Optional.of(finer));
    }

    /** Returns a copy with this step's finding. */
    public Pause withFinding(String ofStep, Finding said) {
        return withStep(step.withStepId(Optional.of(ofStep)).withFinding(said));
    }

    /** Returns a copy with this summary if a person continues without the step's signal. */
    public Pause accepting(StepSummary note) {
        return withStep(step.withAccepted(Optional.of(note)));
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
