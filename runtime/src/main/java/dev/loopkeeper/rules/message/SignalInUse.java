package dev.loopkeeper.rules.message;

import dev.loopkeeper.run.step.SignalClaim;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * A signal file that two runs would use at the same time. Only one run may use it: the other could read a foreign
 * signal, or remove it as outdated.
 *
 * @param path absolute path, as the waiting run names it
 * @param runId the other run
 */
public record SignalInUse(String path, String runId) {
    /**
     * The first file that another run uses; empty when all are free.
     *
     * @param runId the requesting run; its own files are free for it
     * @param holders the run that uses a file, by each identity of the file
     */
    public static Optional<SignalInUse> of(String runId, Collection<SignalClaim> claims, Map<String, String> holders) {
        for (SignalClaim claim : claims) {
            Optional<String> holder = claim.identities().stream()
                    .map(holders::get)
                    .filter(other -> other != null && !other.equals(runId))
                    .findFirst();
            if (holder.isPresent()) {
                return Optional.of(new SignalInUse(claim.path(), holder.get()));
            }
        }
        return Optional.empty();
    }

    /** One sentence with the remedy. */
    public String message() {
        return "the signal file " + path + " is in use by run " + runId
                + "; stop that run or wait for its end, or put {{runId}} into the path";
    }
}
