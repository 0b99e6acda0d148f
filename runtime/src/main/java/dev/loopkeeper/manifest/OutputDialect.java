package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** The format of an agent's standard output. A new one requires the steps in {@code docs/architecture.md}. */
public enum OutputDialect implements WireName {
    /** Unstructured: the signal or the exit code decides. */
    TEXT(true),
    /** Claude Code's json or stream-json. */
    CLAUDE_CODE(true),
    /** Codex's exec --json. */
    CODEX(false),
    /** opencode's run --format json. */
    OPENCODE(true),
    /** Gemini CLI's json or stream-json. */
    GEMINI(false);

    private final boolean mayReportCost;

    OutputDialect(boolean mayReportCost) {
        this.mayReportCost = mayReportCost;
    }

    /** False for agents that never report their cost. */
    public boolean mayReportCost() {
        return mayReportCost;
    }
}
