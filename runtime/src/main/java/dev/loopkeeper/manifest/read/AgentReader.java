package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.StopSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads one agent. */
final class AgentReader {
    static final List<String> KEYS = List.of(
            "command",
            "prompt",
            "output",
            "signal",
            "env",
            "cwd",
            "stop",
            "timeout",
            "idleTimeout",
            "fallback",
            "containment",
            "onRuntimeDeath",
            "onNodeLoss",
            "context");
    static final List<String> STOP_KEYS = List.of("signal", "grace");

    private static final CommandLine NONE = CommandLine.ofShell("");

    private AgentReader() {}

    static Optional<AgentSpec> read(DocumentNode node, Collection<String> agents) {
        return Fields.of(node, KEYS).map(fields -> agent(fields, agents));
    }

    private static AgentSpec agent(Fields fields, Collection<String> agents) {
        return new AgentSpec(
                fields.required("command", "give the program that runs this agent, e.g. [./agent.sh]")
                        .flatMap(CommandReader::read)
                        .orElse(NONE),
                fields.text("prompt"),
                fields.choice("output", Choices.OUTPUT, OutputDialect.TEXT),
                fields.text("signal"),
                fields.texts("env", ScalarMap.ENVIRONMENT),
                fields.text("cwd"),
                stop(fields),
                fields.duration("timeout", DocumentNode.POSITIVE),
                fields.duration("idleTimeout", DocumentNode.POSITIVE),
                fields.at("fallback")
                        .map(list -> AgentNames.readAll(list, agents))
                        .orElse(List.of()),
                fields.choice("containment", Choices.CONTAINMENT, Containment.SESSION),
                fields.choice("onRuntimeDeath", Choices.ON_RUNTIME_DEATH, OnRuntimeDeath.KEEP),
                fields.choice("onNodeLoss", Choices.ON_NODE_LOSS, OnNodeLoss.PAUSE),
                fields.choice("context", Choices.CONTEXT, ContextMode.APPEND));
    }

    private static StopSpec stop(Fields agent) {
        return agent.at("stop")
                .flatMap(node -> Fields.of(node, STOP_KEYS))
                .map(fields -> new StopSpec(
                        fields.choice("signal", Choices.STOP_SIGNAL, StopSpec.DEFAULTS.signal()),
                        fields.duration("grace", Duration.ZERO).orElse(StopSpec.DEFAULTS.grace())))
                .orElse(StopSpec.DEFAULTS);
    }
}
