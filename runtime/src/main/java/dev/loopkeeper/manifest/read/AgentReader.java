package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.ContinuationSpec;
import dev.loopkeeper.manifest.EscalateSpec;
import dev.loopkeeper.manifest.HandlerSpec;
import dev.loopkeeper.manifest.LossSpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one agent. */
final class AgentReader {
    static final List<String> KEYS = List.of(
            "command",
            "handler",
            "prompt",
            "output",
            "signal",
            "env",
            "cwd",
            "stop",
            "timeout",
            "idleTimeout",
            "fallback",
            "escalate",
            "containment",
            "sandbox",
            "protect",
            "onRuntimeDeath",
            "onNodeLoss",
            "context",
            "session",
            "resume",
            "nudge",
            "pool");
    /** Keys that describe a process. */
    private static final List<String> OF_PROCESSES = List.of(
            "command",
            "prompt",
            "output",
            "signal",
            "env",
            "cwd",
            "containment",
            "sandbox",
            "onRuntimeDeath",
            "session",
            "resume",
            "nudge");

    /** Where a handler's signal is written; a rule treats a handler as an agent that declares one. */
    private static final String HANDLER_SIGNAL = ".loopkeeper/{{runId}}.%s.json";

    /** Last parts of a path that no file has. */
    private static final Set<String> FOLDERS = Set.of("", ".", "..", ".loopkeeper");

    static final List<String> HANDLER_KEYS = List.of("address");

    static final List<String> ESCALATE_KEYS = List.of("after", "to");

    static final List<String> STOP_KEYS = List.of("signal", "grace");

    private static final int MOST_NUDGES = 3;
    private static final String STRUCTURED = Stream.of(OutputDialect.values())
            .filter(dialect -> dialect != OutputDialect.TEXT)
            .map(OutputDialect::wire)
            .collect(Collectors.joining(", "));

    private static final CommandLine NONE = CommandLine.ofShell("");

    private AgentReader() {}

    static Optional<AgentSpec> read(String name, DocumentNode node, Collection<String> agents) {
        return Fields.of(node, KEYS).map(fields -> agent(name, fields, agents));
    }

    private static AgentSpec agent(String name, Fields fields, Collection<String> agents) {
        Optional<HandlerSpec> handler = fields.at("handler").flatMap(AgentReader::handler);
        boolean java = fields.has("handler");
        if (java) {
            OF_PROCESSES.forEach(key -> fields.at(key)
                    .ifPresent(
                            node -> node.wrong(key + " is of a process and does not apply to a handler; remove it")));
        }
        Optional<String> signal = java ? Optional.of(HANDLER_SIGNAL.formatted(name)) : fields.text("signal");
        refuseFolder(fields, signal);
        OutputDialect output = fields.choice("output", Choices.OUTPUT, OutputDialect.TEXT);
        Optional<CommandLine> resume = fields.at("resume").flatMap(CommandReader::read);
        SessionMode session = fields.choice("session", Choices.SESSION, SessionMode.FRESH);
        refuseWithoutId(fields, session, output);
        return new AgentSpec(
                program(fields, handler, signal, output),
                new StepLimits(
                        stop(fields),
                        fields.duration("timeout", DocumentNode.POSITIVE),
                        fields.at("idleTimeout").flatMap(AgentReader::idleTimeout)),
                fields.at("fallback")
                        .map(list -> AgentNames.readAll(list, agents))
                        .orElse(List.of()),
                fields.at("escalate").flatMap(node -> escalate(node, agents)),
                new LossSpec(
                        fields.choice("containment", Choices.CONTAINMENT, Containment.SESSION),
                        fields.choice("onRuntimeDeath", Choices.ON_RUNTIME_DEATH, OnRuntimeDeath.KEEP),
                        fields.choice("onNodeLoss", Choices.ON_NODE_LOSS, java ? OnNodeLoss.RETRY : OnNodeLoss.PAUSE),
                        fields.at("sandbox").flatMap(SandboxReader::read),
                        fields.at("protect").map(ProtectReader::read).orElse(List.of())),
                new ContinuationSpec(
                        fields.choice("context", Choices.CONTEXT, ContextMode.APPEND),
                        session,
                        resume,
                        fields.whole("nudge", 0, MOST_NUDGES, signal.isPresent() && resume.isPresent() ? 1 : 0)),
                fields.at("pool").flatMap(DocumentNode::name));
    }

    private static Optional<EscalateSpec> escalate(DocumentNode node, Collection<String> agents) {
        return Fields.of(node, ESCALATE_KEYS).flatMap(fields -> {
            int after = fields.whole("after", 1, EscalateSpec.AFTER);
            return fields.required("to", "name the agent that takes over, e.g. dev-strong")
                    .flatMap(to -> AgentNames.read(to, agents))
                    .map(to -> new EscalateSpec(after, to));
        });
    }

    /** Zero for {@code off}, which YAML reads as a boolean. */
    private static Optional<Duration> idleTimeout(DocumentNode node) {
        String text = node.value().asText();
        return text.equals("off") || text.equals("false")
                ? Optional.of(Duration.ZERO)
                : node.duration(DocumentNode.POSITIVE);
    }

    private static ProgramSpec program(
            Fields fields, Optional<HandlerSpec> handler, Optional<String> signal, OutputDialect output) {
        CommandLine command = fields.has("handler")
                ? handler.map(HandlerSpec::words).orElse(NONE)
                : fields.required("command", "give the program that runs this agent, e.g. [./agent.sh]")
                        .flatMap(CommandReader::read)
                        .orElse(NONE);
        return new ProgramSpec(
                command,
                fields.text("prompt"),
                output,
                signal,
                fields.texts("env", ScalarMap.ENVIRONMENT),
                fields.text("cwd"),
                handler);
    }

    private static Optional<HandlerSpec> handler(DocumentNode node) {
        return node.value().isObject()
                ? Fields.of(node, HANDLER_KEYS)
                        .flatMap(fields -> fields.required("address", "give an address of the event bus, e.g. reviews"))
                        .flatMap(DocumentNode::text)
                        .map(HandlerSpec::at)
                : node.name().map(HandlerSpec::named);
    }

    private static void refuseFolder(Fields fields, Optional<String> signal) {
        signal.map(path -> path.substring(path.lastIndexOf('/') + 1).strip())
                .filter(FOLDERS::contains)
                .flatMap(folder -> fields.at("signal"))
                .ifPresent(node -> node.wrong("names a folder; give a file, e.g. .loopkeeper/dev.json"));
    }

    /** Continuing a session requires a command and the session id, which only structured output reports. */
    private static void refuseWithoutId(Fields fields, SessionMode session, OutputDialect output) {
        if (session == SessionMode.FRESH) {
            return;
        }
        String mode = "is " + session.wire() + ", but ";
        if (!fields.has("resume")) {
            fields.at("session")
                    .ifPresent(node -> node.wrong(mode + "resume is missing: give the command that continues a"
                            + " session, e.g. [claude, -p, --resume, \"{{session.id}}\"], or set session to fresh"));
        }
        if (output == OutputDialect.TEXT) {
            fields.at("session")
                    .ifPresent(node -> node.wrong(mode + "output is text, which reports no session: set output to "
                            + STRUCTURED + ", or session to fresh"));
        }
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
