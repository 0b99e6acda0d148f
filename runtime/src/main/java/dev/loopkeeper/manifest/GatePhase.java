package dev.loopkeeper.manifest;

import java.util.List;

/**
 * A phase that must pass before the run continues.
 *
 * @param retries how often a failed gate re-runs the phase before it, 0 or more; default 1
 */
public record GatePhase(String name, String agent, int retries, boolean critical) implements PhaseSpec {
    @Override
    public String kind() {
        return "gate";
    }

    @Override
    public List<String> agents() {
        return List.of(agent);
    }
}
