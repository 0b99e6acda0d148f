package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;

/** The readers of agents' output, by dialect. */
public final class AgentOutput {
    private AgentOutput() {}

    /** A fresh reader for one step. */
    public static AgentOutputReader reader(OutputDialect dialect) {
        return switch (dialect) {
            case TEXT -> new PlainText();
            case CLAUDE_CODE -> new StructuredReader(new ClaudeCode());
            case CODEX -> new StructuredReader(new Codex());
            case OPENCODE -> new StructuredReader(new OpenCode());
            case GEMINI -> new StructuredReader(new Gemini());
        };
    }
}
