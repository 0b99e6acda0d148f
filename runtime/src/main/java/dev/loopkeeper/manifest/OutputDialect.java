package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** The format of an agent's standard output. A new one requires the steps in {@code docs/architecture.md}. */
public enum OutputDialect implements WireName {
    /** Unstructured: the signal or the exit code decides. */
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
