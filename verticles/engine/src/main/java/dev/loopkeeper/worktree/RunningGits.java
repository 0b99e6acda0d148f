package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitProgram;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Runs git commands that may take long, because of hooks, filters and disks, and that a stop of their step ends. When
 * such a git is killed, by us or from outside, its remaining processes are ended too, since they could change the files
 * beside the next one. Processes that hooks left running after a completed git belong to the user and stay.
 */
final class RunningGits {
    /** Variable that identifies the git call of a process. */
    static final String VARIABLE = "LOOPKEEPER_GIT_CALL";

    /** Exit code of a git that aborted; greater ones mean signals. */
    private static final int FATAL = 128;

    private final Duration patience;
    private final Set<Running> running = new HashSet<>();

    /** One call; its parts change only while its {@link RunningGits} is locked. */
    private static final class Running {
        private final String mark = UUID.randomUUID().toString();
        private final Object purpose;
        private Optional<ProcessHandle> git = Optional.empty();
        private Optional<WorktreeException> ended = Optional.empty();

        Running(Object purpose) {
            this.purpose = purpose;
        }
    }

    /** @param patience how long to wait for killed processes */
    RunningGits(Duration patience) {
        this.patience = patience;
    }

    /** Runs a call and returns its answer. A call that {@link #end} stops fails, whatever it answered. */
    GitAnswer ask(Object purpose, GitCalls calls, GitCall call) {
        Running mine = add(purpose);
        try {
            return answer(mine, calls, call);
        } finally {
            remove(mine);
        }
    }

    /**
     * As {@link #ask}, with hooks: the next command in this worktree ends what they left running, even after a crash.
     *
     * @param step the step whose stop ends the call
     */
    GitAnswer askWithHooks(EndHooks step, Checkout checkout, GitCalls calls, GitCall call) {
        Running mine = add(step);
        try {
            checkout.beginHooks(mine.mark);
            GitAnswer answer = answer(mine, calls, call);
            checkout.endHooks();
            return answer;
        } finally {
            remove(mine);
        }
    }

    private GitAnswer answer(Running mine, GitCalls calls, GitCall call) {
        boolean complete = false;
        try {
            GitAnswer answer = calls.ask(call.with(Map.of(VARIABLE, mine.mark)), git -> started(mine, git));
            complete = answer.exit() <= FATAL && ended(mine).isEmpty();
            if (!complete && ended(mine).isPresent()) {
                throw ended(mine).get();
            }
            return answer;
        } catch (WorktreeException failure) {
            throw ended(mine).orElse(failure);
        } finally {
            if (!complete) {
                endLeft(mine.mark);
            }
        }
    }

    /**
     * Ends the remaining processes of a git that was killed in this worktree, possibly with an earlier runtime. Fails
     * with {@link Problem#LOCKED} when one cannot be ended.
     */
    void endLeft(Checkout checkout) {
        Optional<String> left = checkout.hooks().filter(mark -> !isRunning(mark));
        if (left.isPresent()) {
            endLeft(left.get());
            checkout.endHooks();
        }
    }

    private void endLeft(String mark) {
        MarkedProcesses.end(
                process -> MarkedProcesses.variable(process, VARIABLE)
                        .filter(mark::equals)
                        .isPresent(),
                "a process of a killed git command",
                patience);
    }

    /**
     * Stops the calls for this purpose and returns their number.
     *
     * @param cause with which they fail
     */
    synchronized int end(Object purpose, WorktreeException cause) {
        List<Running> ended =
                running.stream().filter(one -> one.purpose.equals(purpose)).toList();
        ended.forEach(one -> {
            one.ended = Optional.of(cause);
            one.git.ifPresent(GitProgram::kill);
        });
        return ended.size();
    }

    private synchronized Running add(Object purpose) {
        Running mine = new Running(purpose);
        running.add(mine);
        return mine;
    }

    private synchronized void started(Running mine, ProcessHandle git) {
        mine.git = Optional.of(git);
        if (mine.ended.isPresent()) {
            GitProgram.kill(git);
        }
    }

    private synchronized Optional<WorktreeException> ended(Running mine) {
        return mine.ended;
    }

    private synchronized void remove(Running mine) {
        running.remove(mine);
    }

    private synchronized boolean isRunning(String mark) {
        return running.stream().anyMatch(one -> one.mark.equals(mark));
    }
}
