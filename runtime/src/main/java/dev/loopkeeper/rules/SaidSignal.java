package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.ReasonCodes;
import dev.loopkeeper.termination.TerminationReason;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.Readiness;
import dev.loopkeeper.verdict.RefusedValue;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;
import dev.loopkeeper.verdict.TerminalSignal;
import java.util.Optional;

/**
 * The signal of an ended step.
 *
 * @param signal the valid signal, if any; also one with an unknown reason code
 * @param invalid why a declared signal is invalid
 */
record SaidSignal(Optional<Signal> signal, Optional<SignalReading.Invalid> invalid) {
    static SaidSignal of(RunState state, StepPosition position, StepOutcome outcome) {
        SignalReading reading = reading(state, position, outcome);
        if (!outcome.isPermitted()) {
            return rejected(state, outcome);
        }
        if (reading instanceof SignalReading.Valid valid) {
            return new SaidSignal(Optional.of(valid.signal()), unknownReason(state, valid.signal()));
        }
        return new SaidSignal(
                Optional.empty(),
                reading instanceof SignalReading.Invalid invalid ? Optional.of(invalid) : Optional.empty());
    }

    /** The verdict on a step that changed protected files; of what its agent said, only the usage counts. */
    private static SaidSignal rejected(RunState state, StepOutcome outcome) {
        String end = state.git().isPresent() ? "; they are set back" : "; they are not set back";
        Signal verdict = Signal.rejected(
                "the step changed protected files: " + OneLine.of(String.join(", ", outcome.rejectedFor())) + end);
        Optional<JsonNode> usage = outcome.reading() instanceof SignalReading.Valid valid
                ? Optional.ofNullable(valid.signal().raw().get("usage"))
                : Optional.empty();
        return new SaidSignal(
                usage.map(used -> verdict.with("usage", used)).or(() -> Optional.of(verdict)), Optional.empty());
    }

    /** Whether there is a signal without a problem. */
    boolean isValid() {
        return signal.isPresent() && invalid.isEmpty();
    }

    /**
     * A step that was not launched has no signal, whatever file exists. A nudge whose signal path is blocked leaves the
     * work without a valid signal.
     */
    private static SignalReading reading(RunState state, StepPosition position, StepOutcome outcome) {
        if (outcome.exit().cause() != ExitCause.LAUNCH_FAILED) {
            return outcome.reading();
        }
        Retry retry = state.retries().get(position.key());
        boolean nudge = retry != null && retry.nudges() > 0;
        return nudge && outcome.reading() instanceof SignalReading.PathBlocked
                ? new SignalReading.Invalid(
                        SignalDetail.MALFORMED, outcome.exit().diagnostic().orElse("the signal path is blocked"))
                : new SignalReading.NotDeclared();
    }

    /**
     * The problem of a signal whose reason code is not in the manifest; the reader of the file does not know the
     * manifest.
     */
    private static Optional<SignalReading.Invalid> unknownReason(RunState state, Signal said) {
        return said.terminal()
                .map(TerminalSignal::reasonCode)
                .filter(code -> reasons(state).find(code).isEmpty())
                .map(code -> RefusedValue.of(TextNode.valueOf(code)))
                .map(code -> new SignalReading.Invalid(
                        SignalDetail.SCHEMA_INVALID, TerminalSignal.unknownReason(code), Optional.of(code)));
    }

    /** The reason of the signal's {@code terminal}; empty when it has none, or an unknown one. */
    Optional<TerminationReason> terminalReason(RunState state) {
        return signal.flatMap(Signal::terminal).flatMap(end -> reasons(state).find(end.reasonCode()));
    }

    private static ReasonCodes reasons(RunState state) {
        return new ReasonCodes(state.manifest());
    }

    /** Whether the signal reports success. */
    boolean success() {
        return signal.filter(said -> said.says(Determination.SUCCESS) || said.says(SignalVerdict.APPROVED))
                .isPresent();
    }

    /** Whether the signal reports that the step could not do its work, or that the work cannot begin. */
    boolean notReady() {
        return signal.filter(said -> said.says(SignalStatus.BLOCKED)
                        || said.says(Readiness.BLOCKED)
                        || said.says(Readiness.NEEDS_REFINEMENT))
                .isPresent();
    }
}
