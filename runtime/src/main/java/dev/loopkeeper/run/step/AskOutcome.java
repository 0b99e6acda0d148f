package dev.loopkeeper.run.step;

import dev.loopkeeper.json.WireName;

/** How an ask was closed. */
public enum AskOutcome implements WireName {
    ANSWERED,
    /** No answer came in time. */
    TIMEOUT,
    /** The step ended before an answer. */
    STEP_ENDED;
}
