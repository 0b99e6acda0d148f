package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.EndHooks;
import dev.loopkeeper.contract.worktree.HooksEnded;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.BegunGit;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Gits that run hooks of the repository, which work as long as they like: a stop of their step ends them. */
final class RunningHooks {
    private final Map<BegunGit, EndHooks> running = new HashMap<>();
    private final Set<BegunGit> ended = new HashSet<>();

    /**
     * Takes the answer of a call with hooks. Fails with {@link Problem#HOOK_ENDED} where it was ended meanwhile.
     *
     * @param step what would end it
     */
    GitAnswer ask(EndHooks step, Calls calls, GitCall call) {
        try (BegunGit git = calls.begin(call)) {
            begun(git, step);
            GitAnswer answer = answered(calls, git, call);
            if (over(git)) {
                throw ended(call);
            }
            return answer;
        }
    }

    /** What an ended one answers, and that it did not, says nothing of the work. */
    private GitAnswer answered(Calls calls, BegunGit git, GitCall call) {
        try {
            return calls.ask(git, call.input());
        } catch (WorktreeException broken) {
            throw over(git) ? ended(call) : broken;
        }
    }

    private static WorktreeException ended(GitCall call) {
        return new WorktreeException(
                Problem.HOOK_ENDED,
                "git " + call.words().get(0) + " and the hook that it ran were ended, since the run is to stop");
    }

    private synchronized void begun(BegunGit git, EndHooks step) {
        running.put(git, step);
    }

    /** Whether it was ended. */
    private synchronized boolean over(BegunGit git) {
        running.remove(git);
        return ended.remove(git);
    }

    /** Those of this step. */
    synchronized HooksEnded end(EndHooks step) {
        int gits = 0;
        for (Map.Entry<BegunGit, EndHooks> one : running.entrySet()) {
            if (one.getValue().equals(step)) {
                ended.add(one.getKey());
                one.getKey().kill();
                gits++;
            }
        }
        return new HooksEnded(gits);
    }
}
