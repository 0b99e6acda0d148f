package dev.loopkeeper.rules;

import dev.loopkeeper.run.SignalClaim;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * A signal file that a run would write, and another run writes now. Two runs never use one at a time: either could take
 * the other's signal for its own, or move it aside as a leftover.
 *
 * @param path absolute, as the run that would write it names it
 * @param runId the other run
 */
public record SignalInUse(String path, String runId) {
    /**
     * The first of the wanted files that another run has; empty when all are free.
     *
     * @param runId who wants them; what it has itself is free for it
     * @param holders the run that has a file, by each of its identities
     */
    public static Optional<SignalInUse> of(String runId, Collection<SignalClaim> wanted, Map<String, String> holders) {
        for (SignalClaim claim : wanted) {
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
                + "; wait until that run is over or stop it, or put {{runId}} into the path";
    }
}
