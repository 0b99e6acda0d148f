package dev.loopkeeper.contract;

import java.util.List;

/** No live step of the run has this role. */
public final class UnknownRoleException extends CodedFailure {
    /** See {@link #failureCode}. */
    public static final int CODE = 404;

    /** Names the live roles. */
    public UnknownRoleException(String runId, String role, List<String> live) {
        super(
                CODE,
                "run " + runId + " has no live process of role \"" + role + "\"; live roles: "
                        + (live.isEmpty() ? "none" : String.join(", ", live)),
                null);
    }
}
