package dev.loopkeeper.manifest;

import dev.loopkeeper.json.WireName;

/** How an agent's standard output is read. */
public enum OutputDialect implements WireName {
    /** Nothing structured: the signal or the exit code speaks. */
    TEXT("text"),
    /** Claude Code's json or stream-json. */
    CLAUDE_CODE("claude-code"),
    /** Codex's exec --json. */
    CODEX("codex"),
    /** opencode's run --format json. */
    OPENCODE("opencode"),
    /** Gemini CLI's json or stream-json. */
    GEMINI("gemini");

    private final String wire;

    OutputDialect(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
