package dev.loopkeeper.verdict;

import java.util.Optional;

/**
 * An agent's request to end the run, the signal's {@code terminal}.
 *
 * @param reasonCode a built-in code or one of the manifest's {@code reasons}, e.g. {@code licence-expired}
 */
public record TerminalSignal(String reasonCode, String summary, Optional<String> taskId, Optional<String> qualifier) {}
