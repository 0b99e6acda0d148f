package dev.loopkeeper.process;

import java.util.List;

/** No live step of the run has this role. */
final class UnknownRoleException extends RuntimeException {
    UnknownRoleException(String runId, String role, List<String> live) {
        super("run " + runId + " has no live process of role \"" + role + "\"; live roles: "
                + (live.isEmpty() ? "none" : String.join(", ", live)));
    }
}
