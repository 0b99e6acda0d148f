package dev.loopkeeper.rules.message;

import dev.loopkeeper.run.RunState;

/** Decides which launches require a permit, because runs share what they use; see {@link RunCommand.AskPermit}. */
@FunctionalInterface
public interface LaunchGates {
    /** No launch requires one. */
    LaunchGates OPEN = (run, agent) -> false;

    /** Whether this run requires a permit to launch this agent. */
    boolean guards(RunState run, String agent);
}
