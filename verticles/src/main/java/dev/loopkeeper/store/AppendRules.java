package dev.loopkeeper.store;

import java.util.Optional;

/** What an append must look like before anything of it is written; the same for every store. */
final class AppendRules {
    private AppendRules() {}

    /** What is wrong with it; empty when it may be tried. */
    static Optional<String> problem(AppendEvents append) {
        if (append.events().isEmpty()) {
            return Optional.of("an append needs an event, run " + append.runId());
        }
        if (!append.row().runId().equals(append.runId())) {
            return Optional.of("row of run " + append.row().runId() + " in an append to " + append.runId());
        }
        long next = append.expectedSequence();
        for (StoredEvent event : append.events()) {
            next++;
            if (!event.runId().equals(append.runId()) || event.sequence() != next) {
                return Optional.of("event " + event.sequence() + " of " + event.runId() + " where " + next + " of "
                        + append.runId() + " belongs");
            }
        }
        return Optional.empty();
    }
}
