package dev.loopkeeper.rules.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.SignalReading;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The outcome of a step whose processes have ended.
 *
 * @param reading result of reading its signal file
 * @param report report from its output
 * @param outputMatched whether the text that completes its loop was printed
 * @param git result of git in its worktree; absent without a worktree or a git command
 * @param rejectedFor names of the protected files that it changed
 */
@RecordBuilder
public record StepOutcome(
        Exit exit,
        SignalReading reading,
        StepReport report,
        boolean outputMatched,
        Digests digests,
        Sweep sweep,
        Optional<Git> git,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> rejectedFor)
        implements StepOutcomeBuilder.With {
    /** A step that changed no protected file. */
    public StepOutcome(
            Exit exit,
            SignalReading reading,
            StepReport report,
            boolean outputMatched,
            Digests digests,
            Sweep sweep,
            Optional<Git> git) {
        this(exit, reading, report, outputMatched, digests, sweep, git, List.of());
    }

    /** Returns a copy with the digests and the result of git. */
    public StepOutcome with(Digests taken, Git became) {
        Git all = git.map(Git::warnings).map(became::warning).orElse(became);
        return withDigests(taken).withGit(Optional.of(all));
    }

    /** Returns a copy of a step that changed these protected files, with these warnings. */
    public StepOutcome rejectedFor(List<String> files, List<String> warnings) {
        return withGit(Optional.of(git.orElse(Git.NOTHING).warning(warnings))).withRejectedFor(files);
    }

    /** Whether the step changed no protected file. */
    public boolean isPermitted() {
        return rejectedFor.isEmpty();
    }

    /** Whether the agent reported success, whatever ended it. */
    public boolean reportedSuccess() {
        return StandardReason.isSuccess(report.termination());
    }

    /** Whether a limit ended the agent after its final record of success, which remains valid. */
    public boolean hadEndedWell() {
        return (exit.cause() == ExitCause.TIMEOUT || exit.cause() == ExitCause.IDLE) && reportedSuccess();
    }

    /**
     * The exit of the step's process.
     *
     * @param exitCode 0 to 255, 128 + n after signal n; absent when not recorded
     * @param diagnostic the remedy of a failed launch, for people
     * @param sandbox what the kernel enforced; absent without a sandbox
     */
    public record Exit(
            ExitCause cause,
            OptionalLong pid,
            OptionalInt exitCode,
            Instant startedAt,
            Instant endedAt,
            Optional<String> diagnostic,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> sandbox) {
        /** Without a sandbox. */
        public Exit(
                ExitCause cause,
                OptionalLong pid,
                OptionalInt exitCode,
                Instant startedAt,
                Instant endedAt,
                Optional<String> diagnostic) {
            this(cause, pid, exitCode, startedAt, endedAt, diagnostic, Optional.empty());
        }
    }

    /**
     * Digests for the no-progress rule; empty when not taken.
     *
     * @param outputDigest of the normalised stdout
     * @param workspaceDigest of the workspace's content
     */
    public record Digests(String outputDigest, String workspaceDigest) {}

    /**
     * The result of the sweep after the step's end.
     *
     * @param swept orphaned processes that have ended
     * @param survivors processes that could not be killed, as {@code pid command}
     */
    public record Sweep(List<SweptProcess> swept, List<String> survivors) {}

    /**
     * The result of git in the step's worktree.
     *
     * @param commit of the step's changes; absent when there are none
     * @param failure why the commit or the worktree failed
     * @param warnings warnings for people, e.g. that only the commit of a nested repository is recorded
     */
    public record Git(Optional<Commit> commit, Optional<GitFailure> failure, List<String> warnings) {
        /** A result without a commit. */
        public static final Git NOTHING = new Git(Optional.empty(), Optional.empty());

        /** A result without warnings. */
        public Git(Optional<Commit> commit, Optional<GitFailure> failure) {
            this(commit, failure, List.of());
        }

        private Git warning(List<String> more) {
            return new Git(
                    commit,
                    failure,
                    Stream.concat(more.stream(), warnings.stream()).toList());
        }
    }

    /**
     * A commit that is durable in git.
     *
     * @param hash in full
     * @param changes since the previous commit
     * @param total since the branch began
     */
    public record Commit(String hash, Changed changes, Changed total) {}
}
