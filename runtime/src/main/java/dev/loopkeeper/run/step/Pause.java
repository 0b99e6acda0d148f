package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
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
 * @param finding the step's finding; JSON shows its parts beside the other fields
 * @param since time of the request; once the run has paused, time of the pause
 * @param resumeAt when the run resumes automatically
 * @param slot position of the step that caused the pause
 * @param accepted summary of the step if a person continues without its signal
 */
@RecordBuilder
public record Pause(
        PauseReason reason,
        Optional<String> detail,
        Optional<String> stepId,
        String message,
        @JsonIgnore Finding finding,
        List<ResumeAction> allowedActions,
        Instant since,
        Optional<Instant> resumeAt,
        Optional<StepPosition> slot,
        Optional<StepSummary> accepted)
        implements PauseBuilder.With {
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
            @JsonProperty("slot") Optional<StepPosition> slot,
            @JsonProperty("accepted") Optional<StepSummary> accepted) {
        Finding finding = new Finding(keyConcern, anomalyType, gaps, questions, errorContext, refusedValue);
        return new Pause(reason, detail, stepId, message, finding, allowedActions, since, resumeAt, slot, accepted);
    }

    public static Pause of(PauseReason reason, String message, Instant since) {
        return new Pause(
                reason,
                Optional.empty(),
                Optional.empty(),
                OneLine.of(message, OneLine.SUMMARY),
                Finding.NOTHING,
                reason.allowedActions(),
                since,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The agent's questions. */
    @JsonProperty
    public List<String> questions() {
        return finding.questions();
    }

    /** The agent's main concern. */
    @JsonProperty
    public Optional<String> keyConcern() {
        return finding.keyConcern();
    }

    /** The agent's own name for the anomaly. */
    @JsonProperty
    public Optional<String> anomalyType() {
        return finding.anomalyType();
    }

    /** The gaps that the agent reports. */
    @JsonProperty
    public List<String> gaps() {
        return finding.gaps();
    }

    /** The error of the step. */
    @JsonProperty
    public Optional<ErrorContext> errorContext() {
        return finding.errorContext();
    }

    /** The invalid value of the step's signal. */
    @JsonProperty
    public Optional<String> refusedValue() {
        return finding.refusedValue();
    }

    public Pause at(OpenStep step) {
        return withStepId(Optional.of(step.stepId())).withSlot(Optional.of(step.slot()));
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
        return withStepId(Optional.of(ofStep)).withFinding(said);
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
