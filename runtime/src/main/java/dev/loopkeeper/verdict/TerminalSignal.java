package dev.loopkeeper.verdict;

import java.util.Optional;

/**
 * An agent's request to end the run, the signal's {@code terminal}.
 *
 * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
 */
public record TerminalSignal(String reasonCode, String summary, Optional<String> taskId, Optional<String> qualifier) {
    /** Why a signal with an unknown reason code is invalid. */
    public static String unknownReason(String shown) {
        return "terminal.reasonCode " + shown + " is neither built in nor declared under the manifest's reasons";
    }
}
