package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;

/** Creates the readers of agents' output, by dialect. */
public final class AgentOutput {
    private AgentOutput() {}

    /** A new reader for a step, with the built-in error table. */
    public static AgentOutputReader reader(OutputDialect dialect) {
        return reader(dialect, ErrorRules.builtIn());
    }

    /** A new reader for a step, with these error rules. */
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
