package dev.loopkeeper.process;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.ContinuationSpec;
import dev.loopkeeper.manifest.LossSpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepIdentity;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.TraceContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Builds steps for tests; the marker in their environment lets an independent scan find whatever they leave. */
public final class Steps {
    static final String MARKER = "PROCESS_TEST_MARKER";

    private final Path workspace;
    private final String marker;
    private String stepId = "build.1.dev.1";
    private String nonce = "nonce-" + UUID.randomUUID();
    private String agent = "dev";
    private CommandLine command = new CommandLine(List.of("true"), false);
    private Optional<String> prompt = Optional.empty();
    private Optional<String> signal = Optional.empty();
    private Optional<String> cwd = Optional.empty();
    private Optional<String> expectOutput = Optional.empty();
    private StopSpec stop = new StopSpec("TERM", Duration.ofMillis(300));
    private Optional<Duration> timeout = Optional.empty();
    private Optional<Duration> idleTimeout = Optional.empty();
    private OnRuntimeDeath onRuntimeDeath = OnRuntimeDeath.KEEP;
    private Containment containment = Containment.SESSION;
    private OutputDialect output = OutputDialect.TEXT;
    private ContextMode context = ContextMode.APPEND;
    private Optional<SandboxSpec> sandbox = Optional.empty();
    private Optional<LaunchContext> known = Optional.empty();
    private final Map<String, String> env = new HashMap<>();

    public Steps(Path workspace, String marker) {
        this.workspace = workspace;
        this.marker = marker;
    }

    public Steps id(String id) {
        stepId = id;
        return this;
    }

    Steps nonce(String text) {
        nonce = text;
        return this;
    }

    public Steps role(String name) {
        agent = name;
        return this;
    }

    public Steps shell(String text) {
        command = new CommandLine(List.of(text), true);
        return this;
    }

    public Steps words(String... words) {
        command = new CommandLine(List.of(words), false);
        return this;
    }

    Steps prompt(String file) {
        prompt = Optional.of(file);
        return this;
    }

    Steps signal(String file) {
        signal = Optional.of(file);
        return this;
    }

    Steps cwd(String folder) {
        cwd = Optional.of(folder);
        return this;
    }

    Steps expecting(String text) {
        expectOutput = Optional.of(text);
        return this;
    }

    public Steps stopping(String name, Duration grace) {
        stop = new StopSpec(name, grace);
        return this;
    }

    public Steps output(OutputDialect dialect) {
        output = dialect;
        return this;
    }

    public Steps timeout(Duration limit) {
        timeout = Optional.of(limit);
        return this;
    }

    public Steps idleTimeout(Duration limit) {
        idleTimeout = Optional.of(limit);
        return this;
    }

    public Steps dyingWithTheRuntime() {
        onRuntimeDeath = OnRuntimeDeath.KILL;
        return this;
    }

    Steps inNamespace() {
        containment = Containment.NAMESPACE;
        return this;
    }

    public Steps in(Optional<SandboxSpec> spec) {
        sandbox = spec;
        return this;
    }

    Steps env(String name, String value) {
        env.put(name, value);
        return this;
    }

    /** What came before it. */
    Steps knowing(LaunchContext earlier) {
        known = Optional.of(earlier);
        return this;
    }

    /** A prompt that names nothing of what came before stays as it is. */
    Steps withoutContext() {
        context = ContextMode.NONE;
        return this;
    }

    public StepSpec build() {
        StepSpec plain = plain();
        return known.map(earlier -> plain.withContext(earlier)).orElse(plain);
    }

    private StepSpec plain() {
        env.put(MARKER, marker);
        StepIdentity identity = new StepIdentity("run-1", stepId, "build", Optional.of(1), Optional.empty(), 1, agent);
        return new StepSpec(
                identity,
                1,
                nonce,
                TraceContext.begin(nonce),
                new AgentSpec(
                        new ProgramSpec(
                                command,
                                prompt,
                                output,
                                signal,
                                Map.of("FROM_AGENT", "agent", "WHO", "agent"),
                                cwd,
                                Optional.empty()),
                        new StepLimits(stop, timeout, idleTimeout),
                        List.of(),
                        Optional.empty(),
                        LossSpec.of(containment, onRuntimeDeath, OnNodeLoss.PAUSE)
                                .withSandbox(sandbox),
                        new ContinuationSpec(context, SessionMode.FRESH, Optional.empty(), 0),
                        Optional.empty()),
                Map.copyOf(env),
                Map.of("shot", "7"),
                "be careful",
                LaunchContext.nothing(identity),
                Optional.empty(),
                workspace.toString(),
                workspace.toString(),
                Optional.empty(),
                expectOutput,
                List.of(),
                List.of(),
                List.of());
    }
}
