package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StepSpec;
import java.util.function.Supplier;

/** Creates the readers of agents' output, by dialect. */
public final class AgentOutput {
    private AgentOutput() {}

    /** A new reader for a step, with these error rules. */
    public static AgentOutputReader reader(OutputDialect dialect, ErrorRules rules) {
        return dialect == OutputDialect.TEXT ? new PlainText(rules) : new StructuredReader(structured(dialect), rules);
    }

    /** A new reader for this step, which estimates a cost that is not reported. */
    public static AgentOutputReader reader(StepSpec step, Supplier<Policy> policy) {
        ProgramSpec program = step.agentSpec().program();
        return new PricedReader(
                reader(program.output(), ErrorRules.with(step.rules().errors())), program, policy);
    }

    /** A new interpreter of the events of one step. */
    static Dialect structured(OutputDialect dialect) {
        return switch (dialect) {
            case TEXT -> throw new IllegalArgumentException("plain text has no events");
            case CLAUDE_CODE -> new ClaudeCode();
            case CODEX -> new Codex();
            case OPENCODE -> new OpenCode();
            case GEMINI -> new Gemini();
        };
    }
}
