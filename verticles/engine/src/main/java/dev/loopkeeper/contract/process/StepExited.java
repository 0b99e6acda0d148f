package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Event: a step's process is gone and so is everything it left behind. Published once per step and runtime; a
 * recovered step may be reported again by the next runtime.
 *
 * @param exitCode 0 to 255, 128 + n for a death by signal n; absent when nothing recorded it
 * @param diagnostic what a person needs to fix a launch that failed; at most one sentence
 * @param trouble what kept it from being launched, where that is no fault of the agent's: {@code INFRASTRUCTURE}
 * @param outputMatched whether the text that the step was to print was found in stdout
 * @param outputDigest hash of the stdout with times, durations, ids and numbers of iterations taken out
 * @param swept what was left behind and is gone now, or survives
 * @param flaw what of Loopkeeper itself, or of the machine, kept it from being looked after: the run cannot go on
 */
public record StepExited(
        String runId,
        String stepId,
        ExitCause cause,
        OptionalLong pid,
        OptionalInt exitCode,
        Instant startedAt,
        Instant endedAt,
        Optional<String> diagnostic,
        Optional<ErrorKind> trouble,
        boolean outputMatched,
        String outputDigest,
        KillReceipt swept,
        Optional<String> flaw) {

    /** Nothing is known of it: looking after it broke. */
    public static StepExited broken(String runId, String stepId, Instant now, String flaw) {
        KillReceipt unknown =
                new KillReceipt(runId, Optional.of(stepId), now, now, KillReceipt.Outcome.survivors, List.of());
        return new StepExited(
                runId,
                stepId,
                ExitCause.VANISHED,
                OptionalLong.empty(),
                OptionalInt.empty(),
                now,
                now,
                Optional.of(flaw),
                Optional.empty(),
                false,
                "",
                unknown,
                Optional.of(flaw));
    }
}
