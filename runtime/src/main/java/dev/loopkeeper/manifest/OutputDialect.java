package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonValue;

/** How an agent's standard output is read. */
public enum OutputDialect {
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

    /** The spelling in files and messages. */
    @JsonValue
    public String wire() {
        return wire;
    }
}
