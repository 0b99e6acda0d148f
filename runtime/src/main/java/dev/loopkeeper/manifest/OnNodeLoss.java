package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** Determines what happens to an agent whose cluster node is lost. */
public enum OnNodeLoss implements WireName {
    /** Pauses the run for a person, unless the agent left a valid signal in a shared workspace. */
    PAUSE,
    /** The node that takes over the run launches the agent again as a new step, as often as for a transient error. */
    RETRY;
}
