package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.git.BegunGit;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Gits that may work for as long as hooks, filters and disks like, unless somebody ends them meanwhile.
 *
 * @param <K> what they work for
 */
final class RunningGits<K> {
    private final Function<GitCall, WorktreeException> ended;
    private final Map<BegunGit, K> running = new HashMap<>();
    private final Set<BegunGit> killed = new HashSet<>();

    /** @param ended what a call that was ended fails with */
    RunningGits(Function<GitCall, WorktreeException> ended) {
        this.ended = ended;
    }

    /** Takes the answer of a call; what an ended one answers, and that it did not, says nothing of the work. */
    GitAnswer ask(K purpose, Calls calls, GitCall call) {
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
