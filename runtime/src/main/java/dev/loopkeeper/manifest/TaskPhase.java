package dev.loopkeeper.manifest;

/** A phase that launches one agent once. */
public record TaskPhase(String name, String agent, boolean critical) implements PhaseSpec {
    @Override
    public String kind() {
        return "task";
    }
}
