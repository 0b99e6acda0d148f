package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.EndHooks;
import dev.loopkeeper.contract.worktree.HooksEnded;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gits that run hooks of the repository, which work as long as they like: a stop of their step ends them. Of a git that is
 * cut off nothing works on, whoever killed it: beside the next one it would work on the same files. What the hooks of a git
 * that went to its end left running is the person's, and stays.
 */
final class RunningHooks {
    /** Which call of git all that it began is of. */
    static final String VARIABLE = "LOOPKEEPER_GIT_HOOKS";

    private static final Logger LOG = LoggerFactory.getLogger(RunningHooks.class);
    /** The exit of a git that gives up by itself; those beyond are of signals. */
    private static final int FATAL = 128;
    /** Between two looks: the end of a process that is no child of ours wakes nobody. */
    private static final int TICK_MILLIS = 20;

    private final Duration patience;
    private final RunningGits<EndHooks> gits = new RunningGits<>(RunningHooks::ended);
    private final Set<String> marks = new HashSet<>();

    RunningHooks(Duration patience) {
        this.patience = patience;
    }

    /**
     * Takes the answer of a call with hooks. Fails with {@link Problem#HOOK_ENDED} where it was ended meanwhile.
     *
     * @param step what would end it
     * @param checkout where it works
     */
    GitAnswer ask(EndHooks step, Checkout checkout, Calls calls, GitCall call) {
        String mark = UUID.randomUUID().toString();
        begun(mark);
        boolean whole = false;
        try {
            checkout.beginHooks(mark);
            GitAnswer answer = gits.ask(step, calls, call.with(Map.of(VARIABLE, mark)));
            whole = answer.exit() <= FATAL;
            return answer;
        } finally {
            over(mark);
            if (whole) {
                checkout.endHooks();
            } else {
                endLeft(checkout);
            }
        }
    }

    /**
     * Ends what works on of a git that was cut off here, perhaps with the runtime that began it. Fails with
     * {@link Problem#LOCKED} when it cannot be ended.
     */
    void endLeft(Checkout checkout) {
        Optional<String> left = checkout.hooks().filter(this::isNobodys);
        if (left.isPresent()) {
            endAll(left.get());
            checkout.endHooks();
        }
    }

    private void endAll(String mark) {
        long start = System.nanoTime();
        Set<Long> told = new HashSet<>();
        for (List<ProcessHandle> found = find(mark); !found.isEmpty(); found = find(mark)) {
            for (ProcessHandle process : found) {
                if (told.add(process.pid())) {
                    LOG.info("the process {} is of a hook whose git was cut off, and is ended", process.pid());
                }
                process.destroyForcibly();
            }
            await(found, start);
        }
    }

    private static List<ProcessHandle> find(String mark) {
        return MarkedProcesses.find(process ->
                MarkedProcesses.variable(process, VARIABLE).filter(mark::equals).isPresent());
    }

    private void await(List<ProcessHandle> found, long start) {
        if (System.nanoTime() - start > patience.toNanos()) {
            throw new WorktreeException(
                    Problem.LOCKED,
                    "a hook of a git that was cut off cannot be ended; its pid is "
                            + found.get(0).pid());
        }
        try {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new WorktreeException(Problem.TIMED_OUT, "interrupted");
        }
    }

    private static WorktreeException ended(GitCall call) {
        return new WorktreeException(
                Problem.HOOK_ENDED,
                "git " + call.words().get(0) + " and the hook that it ran were ended, since the run is to stop");
    }

    private synchronized void begun(String mark) {
        marks.add(mark);
    }

    private synchronized void over(String mark) {
        marks.remove(mark);
    }

    private synchronized boolean isNobodys(String mark) {
        return !marks.contains(mark);
    }

    /** Those of this step. */
    HooksEnded end(EndHooks step) {
        return new HooksEnded(gits.end(step));
    }
}
