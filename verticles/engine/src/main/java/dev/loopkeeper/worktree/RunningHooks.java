package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.EndHooks;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Runs git commands with hooks, which have no time limit: a stop of their step ends them. When such a git is killed,
 * its remaining processes are ended too, since they could change the files beside the next one. Processes that hooks
 * left running after a completed git belong to the user and stay.
 */
final class RunningHooks {
    private final RunningGits<EndHooks> gits;
    private final Set<String> marks = new HashSet<>();

    RunningHooks(Duration patience) {
        gits = new RunningGits<>(patience, RunningHooks::ended);
    }

    /**
     * Runs a call with hooks. Fails with {@link Problem#HOOK_ENDED} where it was stopped.
     *
     * @param step the step whose stop ends the call
     * @param checkout worktree of the call
     */
    GitAnswer ask(EndHooks step, Checkout checkout, GitCalls calls, GitCall call) {
        String mark = RunningGits.newMark();
        begun(mark);
        try {
            checkout.beginHooks(mark);
            GitAnswer answer = gits.ask(step, mark, calls, call);
            checkout.endHooks();
            return answer;
        } finally {
            over(mark);
        }
    }

    /**
     * Ends the remaining processes of a git that was killed in this worktree, possibly with an earlier runtime. Fails
     * with {@link Problem#LOCKED} when one cannot be ended.
     */
    void endLeft(Checkout checkout) {
        Optional<String> left = checkout.hooks().filter(this::isNobodys);
        if (left.isPresent()) {
            gits.endLeft(left.get());
            checkout.endHooks();
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

    /** Ends the hooks of this step, and returns how many git processes it ended. */
    int end(EndHooks step) {
        return gits.end(step);
    }
}
