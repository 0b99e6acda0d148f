package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a run waits for a person, and what may follow.
 *
 * @param detail finer than the reason, e.g. {@code absent}
 * @param message for people, one line that names the step and what it said
 * @param finding all that the step said; in JSON its parts stand beside the others
 * @param since when it was wanted; once the run has paused, since when it holds it up
 * @param resumeAt when it goes on by itself
 * @param slot place of the step that led here
 * @param accepted what the step comes to if a person goes on without its signal
 */
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
        Optional<StepSummary> accepted) {

    /** Reads it back; what was recorded before there were findings has none. */
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

    /** What the agent asks. */
    @JsonProperty
    public List<String> questions() {
        return finding.questions();
    }

    /** What worries the agent most. */
    @JsonProperty
    public Optional<String> keyConcern() {
        return finding.keyConcern();
    }

    /** The agent's own word for it. */
    @JsonProperty
    public Optional<String> anomalyType() {
        return finding.anomalyType();
    }

    /** What the agent misses. */
    @JsonProperty
    public List<String> gaps() {
        return finding.gaps();
    }

    /** Why the step ended early. */
    @JsonProperty
    public Optional<ErrorContext> errorContext() {
        return finding.errorContext();
    }

    /** For what the step's signal was refused. */
    @JsonProperty
    public Optional<String> refusedValue() {
        return finding.refusedValue();
    }

    public Pause at(OpenStep step) {
        return new Pause(
                reason,
                detail,
                Optional.of(step.stepId()),
                message,
                finding,
                allowedActions,
                since,
                resumeAt,
                Optional.of(step.slot()),
                accepted);
    }

    public Pause saying(String other) {
        String line = OneLine.of(other, OneLine.SUMMARY);
        return new Pause(reason, detail, stepId, line, finding, allowedActions, since, resumeAt, slot, accepted);
    }

    public Pause withDetail(String finer) {
        return new Pause(
                reason, Optional.of(finer), stepId, message, finding, allowedActions, since, resumeAt, slot, accepted);
    }

    /** With what this step said. */
    public Pause telling(String ofStep, Finding said) {
        return new Pause(
                reason, detail, Optional.of(ofStep), message, said, allowedActions, since, resumeAt, slot, accepted);
    }

    public Pause until(Optional<Instant> due) {
        return new Pause(reason, detail, stepId, message, finding, allowedActions, since, due, slot, accepted);
    }

    /** The same, which holds the run up from then on. */
    public Pause beginning(Instant at) {
        return new Pause(reason, detail, stepId, message, finding, allowedActions, at, resumeAt, slot, accepted);
    }

    public Pause accepting(StepSummary note) {
        return new Pause(
                reason, detail, stepId, message, finding, allowedActions, since, resumeAt, slot, Optional.of(note));
    }

    /** Without the actions that would do nothing, since the manifest declares no agent for them. */
    public Pause offering(Manifest manifest) {
        List<ResumeAction> possible = allowedActions.stream()
                .filter(action -> action.agent()
                        .filter(agent -> manifest.agent(agent).isEmpty())
                        .isEmpty())
                .toList();
        return new Pause(reason, detail, stepId, message, finding, possible, since, resumeAt, slot, accepted);
    }
}
