package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.BegunGit;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gits that may work for as long as hooks, filters and disks like, unless somebody ends them meanwhile. Of one that is cut
 * off, by us or by anybody, nothing works on: each marks what it begins.
 *
 * @param <K> what they work for
 */
final class RunningGits<K> {
    /** Which call of git a process is of. */
    static final String VARIABLE = "LOOPKEEPER_GIT_CALL";

    private static final Logger LOG = LoggerFactory.getLogger(RunningGits.class);
    /** The exit of a git that gives up by itself; those beyond are of signals. */
    private static final int FATAL = 128;
    /** Between two looks: the end of a process that is no child of ours wakes nobody. */
    private static final int TICK_MILLIS = 20;

    private final Duration patience;
    private final Function<GitCall, WorktreeException> ended;
    private final Map<BegunGit, K> running = new HashMap<>();
    private final Set<BegunGit> killed = new HashSet<>();

    /**
     * @param patience with what is killed and does not go
     * @param ended what a call that was ended fails with
     */
    RunningGits(Duration patience, Function<GitCall, WorktreeException> ended) {
        this.patience = patience;
        this.ended = ended;
    }

    static String newMark() {
        return UUID.randomUUID().toString();
    }

    /**
     * Takes the answer of a call; what an ended one answers, and that it did not, says nothing of the work.
     *
     * @param mark of this call alone
     */
    GitAnswer ask(K purpose, String mark, Calls calls, GitCall call) {
        boolean whole = false;
        try {
            GitAnswer answer = ask(purpose, calls, call.with(Map.of(VARIABLE, mark)));
            whole = answer.exit() <= FATAL;
            return answer;
        } finally {
            if (!whole) {
                endLeft(mark);
            }
        }
    }

    /** Ends what is left of a call. Fails with {@link Problem#LOCKED} when it cannot be ended. */
    void endLeft(String mark) {
        long start = System.nanoTime();
        Set<Long> told = new HashSet<>();
        for (List<ProcessHandle> found = find(mark); !found.isEmpty(); found = find(mark)) {
            for (ProcessHandle process : found) {
                if (told.add(process.pid())) {
                    LOG.info("the process {} is of a git that was cut off, and is ended", process.pid());
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
                    "what a git that was cut off had begun cannot be ended; its pid is "
                            + found.get(0).pid());
        }
        try {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new WorktreeException(Problem.TIMED_OUT, "interrupted");
        }
    }

    private GitAnswer ask(K purpose, Calls calls, GitCall call) {
        try (BegunGit git = calls.begin(call)) {
            begun(git, purpose);
            GitAnswer answer = answered(calls, git, call);
            if (over(git)) {
                throw ended.apply(call);
            }
            return answer;
        }
    }

    private GitAnswer answered(Calls calls, BegunGit git, GitCall call) {
        try {
            return calls.ask(git, call.input());
        } catch (WorktreeException broken) {
            throw over(git) ? ended.apply(call) : broken;
        }
    }

    private synchronized void begun(BegunGit git, K purpose) {
        running.put(git, purpose);
    }

    /** Whether it was ended. */
    private synchronized boolean over(BegunGit git) {
        running.remove(git);
        return killed.remove(git);
    }

    /** Those that work for this; answers how many there were. */
    synchronized int end(K purpose) {
        int gits = 0;
        for (Map.Entry<BegunGit, K> one : running.entrySet()) {
            if (one.getValue().equals(purpose)) {
                killed.add(one.getKey());
                one.getKey().kill();
                gits++;
            }
        }
        return gits;
    }
}
