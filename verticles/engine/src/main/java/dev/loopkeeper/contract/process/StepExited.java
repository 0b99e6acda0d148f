package dev.loopkeeper.contract.process;

import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Event: a step's process and its descendants are gone. Published once for each step and runtime; the next runtime may
 * report a recovered step again.
 *
 * @param exitCode 0 to 255, 128 + n for a death by signal n; absent if it was not recorded
 * @param diagnostic what a person needs to fix a failed launch; at most one sentence
 * @param launchError why it could not be launched, unless the agent is at fault: {@code INFRASTRUCTURE}
 * @param outputMatched whether stdout contains the text that the step was to print
 * @param outputDigest hash of stdout without times, durations, ids and iteration numbers
 * @param swept processes that were left behind, and whether they are gone
 * @param internalError failure of Loopkeeper or the machine that ended the supervision; the run cannot continue
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
        Optional<ErrorKind> launchError,
        boolean outputMatched,
        String outputDigest,
        KillReceipt swept,
        Optional<String> internalError) {

    /** The exit of a step whose supervision failed, so that nothing is known of it. */
    public static StepExited broken(String runId, String stepId, Instant now, String internalError) {
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
                Optional.of(internalError),
                Optional.empty(),
                false,
                "",
                unknown,
                Optional.of(internalError));
    }
}
