package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.OwnRetries;
import dev.loopkeeper.step.Usage;
import java.util.Optional;

/**
 * What the output of a running step tells by now.
 *
 * @param activity the newest line of what it says or does
 * @param lingers whether it ought to have ended since its final record of success
 */
record OutputSoFar(Usage usage, OwnRetries retries, Optional<String> activity, boolean lingers) {
    static final OutputSoFar NOTHING = new OutputSoFar(Usage.UNKNOWN, OwnRetries.NONE, Optional.empty(), false);
}
