package dev.loopkeeper.worktree;

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

/** Gits that run hooks of the repository, which work as long as they like: a stop of their run ends them. */
final class RunningHooks {
    private final Map<BegunGit, String> runs = new HashMap<>();
    private final Set<BegunGit> ended = new HashSet<>();

    /** Takes the answer of a call with hooks. Fails with {@link Problem#HOOK_ENDED} where it was ended meanwhile. */
    GitAnswer ask(String runId, Calls calls, GitCall call) {
        try (BegunGit git = calls.begin(call)) {
            begun(git, runId);
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

    private synchronized void begun(BegunGit git, String runId) {
        runs.put(git, runId);
    }

    /** Whether it was ended. */
    private synchronized boolean over(BegunGit git) {
        runs.remove(git);
        return ended.remove(git);
    }

    /** Those of this run. */
    synchronized HooksEnded end(String runId) {
        int gits = 0;
        for (Map.Entry<BegunGit, String> one : runs.entrySet()) {
            if (one.getValue().equals(runId)) {
                ended.add(one.getKey());
                one.getKey().kill();
                gits++;
            }
        }
        return new HooksEnded(gits);
    }
}
