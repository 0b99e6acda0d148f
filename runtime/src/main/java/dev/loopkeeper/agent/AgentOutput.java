package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StepSpec;
import java.util.function.Supplier;

/** Creates the readers of agents' output, by dialect. */
public final class AgentOutput {
    private AgentOutput() {}

    /** A new reader for a step, with these error rules and without prices. */
    public static AgentOutputReader reader(OutputDialect dialect, ErrorRules rules) {
        return reader(ProgramSpec.of(CommandLine.ofShell("")).withOutput(dialect), rules, () -> Policy.NONE);
    }

    /** A new reader for this step, which estimates a cost that is not reported. */
    public static AgentOutputReader reader(StepSpec step, Supplier<Policy> policy) {
        return reader(step.agentSpec().program(), ErrorRules.with(step.errors()), policy);
    }

    static AgentOutputReader reader(ProgramSpec program, ErrorRules rules, Supplier<Policy> policy) {
        return program.output() == OutputDialect.TEXT
                ? new PlainText(rules)
                : new StructuredReader(structured(program.output()), rules, new Prices(program, policy));
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
