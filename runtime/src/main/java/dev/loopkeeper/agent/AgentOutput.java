package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;

/** The readers of agents' output, by dialect. */
public final class AgentOutput {
    private AgentOutput() {}

    /** A fresh reader for one step, which tells errors apart by the table that comes with Loopkeeper. */
    public static AgentOutputReader reader(OutputDialect dialect) {
        return reader(dialect, ErrorRules.builtIn());
    }

    /** A fresh reader for one step, which tells errors apart by these rules. */
    public static AgentOutputReader reader(OutputDialect dialect, ErrorRules rules) {
        return switch (dialect) {
            case TEXT -> new PlainText(rules);
            case CLAUDE_CODE -> new StructuredReader(new ClaudeCode(), rules);
            case CODEX -> new StructuredReader(new Codex(), rules);
            case OPENCODE -> new StructuredReader(new OpenCode(), rules);
            case GEMINI -> new StructuredReader(new Gemini(), rules);
        };
    }
}
