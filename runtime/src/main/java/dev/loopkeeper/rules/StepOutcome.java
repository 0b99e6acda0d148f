package dev.loopkeeper.rules;

import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.verdict.SignalReading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * All that is known of a step once its processes are gone.
 *
 * @param reading what its signal file says
 * @param report what its output says
 * @param outputMatched whether the text that completes its loop was printed
 */
public record StepOutcome(
        Exit exit, SignalReading reading, StepReport report, boolean outputMatched, Digests digests, Sweep sweep) {
    /**
     * How its program ended.
     *
     * @param exitCode 0 to 255, 128 + n for a death by signal n; absent when nothing recorded it
     * @param diagnostic what a person needs to fix a launch that failed
     */
    public record Exit(
            ExitCause cause,
            OptionalLong pid,
            OptionalInt exitCode,
            Instant startedAt,
            Instant endedAt,
            Optional<String> diagnostic) {}

    /**
     * By which no progress is seen; empty when not taken.
     *
     * @param outputDigest of the normalised stdout
     * @param workspaceDigest of the workspace's content
     */
    public record Digests(String outputDigest, String workspaceDigest) {}

    /**
     * What the sweep after its end came to.
     *
     * @param swept processes that it left behind and that are gone now
     * @param survivors processes that would not die, as {@code pid command}
     */
    public record Sweep(List<SweptProcess> swept, List<String> survivors) {}
}
