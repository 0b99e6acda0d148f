package dev.loopkeeper.manifest;

import java.util.List;

/** A phase that launches one agent once. */
public record TaskPhase(String name, String agent, boolean critical) implements PhaseSpec {
    @Override
    public String kind() {
        return "task";
    }

    @Override
    public List<String> agents() {
        return List.of(agent);
    }
}
