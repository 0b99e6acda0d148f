package dev.loopkeeper.rules;

import dev.loopkeeper.run.Changed;
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
 * @param git what became of its worktree; absent where it has none, and where nothing was asked of git
 */
public record StepOutcome(
        Exit exit,
        SignalReading reading,
        StepReport report,
        boolean outputMatched,
        Digests digests,
        Sweep sweep,
        Optional<Git> git) {
    /** A step without a worktree, or one of which nothing was committed. */
    public StepOutcome(
            Exit exit, SignalReading reading, StepReport report, boolean outputMatched, Digests digests, Sweep sweep) {
        this(exit, reading, report, outputMatched, digests, sweep, Optional.empty());
    }

    /** The same with what became of its worktree. */
    public StepOutcome with(Digests taken, Git became) {
        return new StepOutcome(exit, reading, report, outputMatched, taken, sweep, Optional.of(became));
    }

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

    /**
     * What became of its worktree.
     *
     * @param commit that holds what the step changed; absent when it changed nothing
     * @param trouble why it could not be committed, or the worktree not be had
     * @param warnings what a person should know at once, e.g. that only the commit of a repository in it is recorded
     */
    public record Git(Optional<Commit> commit, Optional<GitFailure> trouble, List<String> warnings) {
        /** There was nothing to commit. */
        public static final Git NOTHING = new Git(Optional.empty(), Optional.empty());

        /** Nothing that a person should know at once. */
        public Git(Optional<Commit> commit, Optional<GitFailure> trouble) {
            this(commit, trouble, List.of());
        }
    }

    /**
     * A commit that is durable in git.
     *
     * @param hash in full
     * @param changes since the one before
     * @param total since the branch began
     */
    public record Commit(String hash, Changed changes, Changed total) {}
}
