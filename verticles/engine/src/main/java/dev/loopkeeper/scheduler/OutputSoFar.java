package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.OwnRetries;
import dev.loopkeeper.step.Usage;
import java.util.Optional;

/**
 * What the output of a running step contains so far.
 *
 * @param activity the newest line of what the agent says or does
 * @param lingers whether the agent should have exited after its final success record
 */
record OutputSoFar(Usage usage, OwnRetries retries, Optional<String> activity, boolean lingers) {
    static final OutputSoFar NOTHING = new OutputSoFar(Usage.UNKNOWN, OwnRetries.NONE, Optional.empty(), false);
}
