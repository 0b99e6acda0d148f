package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.EndHooks;
import dev.loopkeeper.contract.worktree.HooksEnded;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Gits that run hooks of the repository, which work as long as they like: a stop of their step ends them. Of a git that is
 * cut off nothing works on, whoever killed it: beside the next one it would work on the same files. What the hooks of a git
 * that went to its end left running is the person's, and stays.
 */
final class RunningHooks {
    private final RunningGits<EndHooks> gits;
    private final Set<String> marks = new HashSet<>();

    RunningHooks(Duration patience) {
        gits = new RunningGits<>(patience, RunningHooks::ended);
    }

    /**
     * Takes the answer of a call with hooks. Fails with {@link Problem#HOOK_ENDED} where it was ended meanwhile.
     *
     * @param step what would end it
     * @param checkout where it works
     */
    GitAnswer ask(EndHooks step, Checkout checkout, Calls calls, GitCall call) {
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
     * Ends what works on of a git that was cut off here, perhaps with the runtime that began it. Fails with
     * {@link Problem#LOCKED} when it cannot be ended.
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

    /** Those of this step. */
    HooksEnded end(EndHooks step) {
        return new HooksEnded(gits.end(step));
    }
}
