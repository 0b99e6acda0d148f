package dev.loopkeeper.submit;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.manifest.read.SourcePosition;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.step.Wording;
import java.util.List;

/** Checks the pools that agents name. */
public final class PoolCheck {
    private PoolCheck() {}

    /** Returns whether an agent names a pool. */
    static boolean isNeeded(Submission submission) {
        return submission instanceof Submission.Accepted accepted
                && accepted.manifest().agents().values().stream()
                        .anyMatch(agent -> agent.pool().isPresent());
    }

    /**
     * Returns the submission with warnings added, or refused: an unknown pool is an error where the policy has pools.
     *
     * @param ofRun whether it is for a run that exists, which an unknown pool does not stop
     */
    public static Submission of(Submission submission, Policy policy, SourceMap sources, boolean ofRun) {
        if (!(submission instanceof Submission.Accepted accepted)) {
            return submission;
        }
        List<ManifestProblem> unknown = accepted.manifest().agents().entrySet().stream()
                .flatMap(agent -> agent.getValue().pool().stream()
                        .filter(pool -> policy.pool(pool).isEmpty())
                        .map(pool -> unknown("agents." + agent.getKey() + ".pool", pool, policy)
                                .located(sources)))
                .toList();
        if (!unknown.isEmpty() && !policy.pools().isEmpty() && !ofRun) {
            return new Submission.Refused(unknown);
        }
        Submission.Accepted warned = accepted;
        for (ManifestProblem problem : unknown) {
            warned = warned.warned(problem);
        }
        return warned;
    }

    private static ManifestProblem unknown(String path, String pool, Policy policy) {
        List<String> known = policy.pools().stream().map(Pool::name).toList();
        String message = "the policy has no pool " + Wording.quoted(pool)
                + (known.isEmpty()
                        ? ", so this agent waits for no place; add the pool with loopkeeper apply"
                        : "; known are " + String.join(", ", known));
        return new ManifestProblem(path, SourcePosition.UNKNOWN, message, NearestName.of(pool, known));
    }
}
