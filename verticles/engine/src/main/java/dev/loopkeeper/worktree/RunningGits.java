package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
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
 * Runs git commands without a time limit, because of hooks, filters and disks, that other commands can stop. When git
 * is killed, by us or from outside, its marked child processes are ended too.
 *
 * @param <K> purpose of a call
 */
final class RunningGits<K> {
    /** Variable that identifies the git call of a process. */
    static final String VARIABLE = "LOOPKEEPER_GIT_CALL";

    private static final Logger LOG = LoggerFactory.getLogger(RunningGits.class);
    /** Exit code of a git that aborted; greater ones mean signals. */
    private static final int FATAL = 128;
    /** Interval between checks, since the end of a process that is not our child sends no notification. */
    private static final int CHECK_INTERVAL_MILLIS = 20;

    private final Duration patience;
    private final Function<GitCall, WorktreeException> ended;
    private final Map<BegunGit, K> running = new HashMap<>();
    private final Set<BegunGit> killed = new HashSet<>();

    /**
     * @param patience how long to wait for killed processes
     * @param ended builds the failure of a call that was stopped
     */
    RunningGits(Duration patience, Function<GitCall, WorktreeException> ended) {
        this.patience = patience;
        this.ended = ended;
    }

    static String newMark() {
        return UUID.randomUUID().toString();
    }

    /**
     * Runs a call and returns its answer; a stopped call fails, whatever it answered.
     *
     * @param mark value that is unique to this call
     */
    GitAnswer ask(K purpose, String mark, GitCalls calls, GitCall call) {
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

    /** Ends the remaining processes of a call. Fails with {@link Problem#LOCKED} when one cannot be ended. */
    void endLeft(String mark) {
        long start = System.nanoTime();
        Set<Long> logged = new HashSet<>();
        for (List<ProcessHandle> found = find(mark); !found.isEmpty(); found = find(mark)) {
            for (ProcessHandle process : found) {
                if (logged.add(process.pid())) {
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
            TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MILLIS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new WorktreeException(Problem.TIMED_OUT, "interrupted");
        }
    }

    private GitAnswer ask(K purpose, GitCalls calls, GitCall call) {
        try (BegunGit git = calls.begin(call)) {
            begun(git, purpose);
            GitAnswer answer = answered(calls, git, call);
            if (over(git)) {
                throw ended.apply(call);
            }
            return answer;
        }
    }

    private GitAnswer answered(GitCalls calls, BegunGit git, GitCall call) {
        try {
            return calls.ask(git, call.input());
        } catch (WorktreeException broken) {
            throw over(git) ? ended.apply(call) : broken;
        }
    }

    private synchronized void begun(BegunGit git, K purpose) {
        running.put(git, purpose);
    }

    /** Removes a finished call; returns whether it was stopped. */
    private synchronized boolean over(BegunGit git) {
        running.remove(git);
        return killed.remove(git);
    }

    /** Stops the calls for this purpose and returns their number. */
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
