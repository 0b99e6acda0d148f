package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.process.tree.StepEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The git commands of runs. What they start (filters, hooks) inherits a mark of their run and ends with the operation, or
 * with a git that is killed: it could change the files beside the next one.
 */
final class RunningGits {
    /** Variable that identifies the operation of a process. */
    static final String VARIABLE = StepEnvironment.NONCE;

    /** Exit code of a git that aborted; greater ones mean signals. */
    private static final int FATAL = 128;
    /** What a git without hooks may take before a stop ends it: the work of a step is committed then, as a rule. */
    static final Duration GRACE = Duration.ofSeconds(3);
    /** The operation of this thread. */
    private static final ThreadLocal<Running> MINE = new ThreadLocal<>();

    private final Path data;
    private final Duration patience;
    private final Set<Running> running = new HashSet<>();

    /** One operation; its parts change only while its {@link RunningGits} is locked. */
    private static final class Running {
        private final Object purpose;
        private final Duration grace;
        private final Map<String, String> marks;
        private Optional<ProcessHandle> git = Optional.empty();
        private long due;
        private Optional<WorktreeException> ended = Optional.empty();

        Running(Object purpose, Duration grace, Map<String, String> marks) {
            this.purpose = purpose;
            this.grace = grace;
            this.marks = marks;
        }
    }

    /**
     * @param data the data folder
     * @param patience how long to wait for killed processes
     */
    RunningGits(Path data, Duration patience) {
        this.data = data;
        this.patience = patience;
    }

    /**
     * Does work that {@link #end} may stop; all its git commands belong to this step of the run.
     *
     * @param grace what a git may take before a stop ends it
     */
    <A> A during(Object purpose, String runId, String stepId, Duration grace, Supplier<A> work) {
        Running begun = new Running(
                purpose,
                grace,
                Map.of(
                        VARIABLE,
                        StepEnvironment.GIT_NONCES + UUID.randomUUID(),
                        StepEnvironment.DATA,
                        data.toString(),
                        StepEnvironment.RUN_ID,
                        runId,
                        StepEnvironment.STEP_ID,
                        stepId));
        add(begun);
        try {
            return work.get();
        } finally {
            MINE.remove();
            remove(begun);
            endLeft(begun);
        }
    }

    /** Runs a call and returns its answer. A call that {@link #end} stops fails, whatever it answered. */
    GitAnswer ask(GitCall call, GitProgram git) throws GitException {
        Running run = MINE.get();
        if (run == null || call.apart()) {
            return git.run(call);
        }
        GitAnswer answer;
        try {
            answer = git.run(call.with(run.marks), process -> begun(run, call, process));
        } catch (GitException failed) {
            endLeft(run);
            over(run);
            throw failed;
        }
        if (answer.exit() > FATAL) {
            endLeft(run);
        }
        over(run);
        return answer;
    }

    private void endLeft(Running run) {
        MarkedProcesses.end(
                process -> MarkedProcesses.variable(process, VARIABLE)
                        .filter(run.marks.get(VARIABLE)::equals)
                        .isPresent(),
                "a process that git started",
                patience);
    }

    /**
     * Stops the calls for this purpose and returns their number.
     *
     * @param cause with which they fail
     */
    synchronized int end(Object purpose, WorktreeException cause) {
        List<Running> ended = running.stream()
                .filter(one -> one.purpose.equals(purpose) && one.git.isPresent() && System.nanoTime() - one.due >= 0)
                .toList();
        ended.forEach(one -> {
            one.ended = Optional.of(cause);
            one.git.ifPresent(GitProgram::kill);
        });
        return ended.size();
    }

    private synchronized void add(Running begun) {
        running.add(begun);
        MINE.set(begun);
    }

    private synchronized void begun(Running run, GitCall call, ProcessHandle git) {
        run.git = Optional.of(git);
        run.due = System.nanoTime() + (call.hooks() ? 0 : run.grace.toNanos());
    }

    /** Fails where the call of the operation was stopped. */
    private synchronized void over(Running run) {
        run.git = Optional.empty();
        run.ended.ifPresent(cause -> {
            throw cause;
        });
    }

    private synchronized void remove(Running begun) {
        running.remove(begun);
    }
}
