package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** How an agent's standard output is read. For what goes with a new one see {@code docs/architecture.md}. */
public enum OutputDialect implements WireName {
    /** Nothing structured: the signal or the exit code speaks. */
    TEXT("text", true),
    /** Claude Code's json or stream-json. */
    CLAUDE_CODE("claude-code", true),
    /** Codex's exec --json. */
    CODEX("codex", false),
    /** opencode's run --format json. */
    OPENCODE("opencode", true),
    /** Gemini CLI's json or stream-json. */
    GEMINI("gemini", false);

    private final String wire;
    private final boolean mayReportCost;

    OutputDialect(String wire, boolean mayReportCost) {
        this.wire = wire;
        this.mayReportCost = mayReportCost;
    }

    /** False for agents that never report their cost. */
    public boolean mayReportCost() {
        return mayReportCost;
    }

    @Override
    public String wire() {
        return wire;
    }
}
