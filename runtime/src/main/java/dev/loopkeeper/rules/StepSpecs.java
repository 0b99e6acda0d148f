package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LossSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.ReasonSpec;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.step.StepIdentity;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepSpecBuilder;
import dev.loopkeeper.step.TraceContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds the specification of an open step's launch, now or after a restart. */
final class StepSpecs {
    /** The role of the command that determines whether a loop is complete. */
    static final String CHECK = "until";

    private StepSpecs() {}

    static StepSpec of(RunState state, OpenStep step) {
        Manifest manifest = state.manifest();
        StepPosition position = step.position();
        return StepSpecBuilder.builder()
                .identity(identity(state, step))
                .execution(state.execution())
                .nonce(step.nonce())
                .trace(trace(state, step))
                .agentSpec(agent(state, step))
                .env(manifest.env())
                .vars(vars(state, step))
                .feedback(feedback(state, position))
                .context(LaunchContexts.of(state, step))
                .continues(step.session())
                .workspace(state.plan().workspace())
                .baseDir(state.plan().baseDir())
                .worktree(WorktreeNames.of(state, position.item()))
                .expectOutput(expectedOutput(state, position))
                .errors(manifest.errors())
                .reasons(manifest.reasons().stream().map(ReasonSpec::code).toList())
                .guard(List.of())
                .build();
    }

    /** The step's span in the trace of the execution, which is computed from durable facts only. */
    private static TraceContext trace(RunState state, OpenStep step) {
        Optional<TraceContext> caller = state.executions().stream()
                .skip(Math.max(0, state.executions().size() - 1))
                .flatMap(current -> current.parent().stream())
                .findFirst();
        return TraceContext.of(caller, state.nonce(), state.execution()).child(step.nonce());
    }

    static StepIdentity identity(RunState state, OpenStep step) {
        StepPosition position = step.position();
        return new StepIdentity(
                state.runId(),
                step.stepId(),
                position.phase(),
                position.iteration(),
                position.item(),
                step.attempt(),
                step.agent());
    }

    /** The operator's feedback, after the merge conflict of the item's previous attempt. */
    static String feedback(RunState state, StepPosition position) {
        String said = state.feedback(position);
        String conflict =
                position.item().flatMap(id -> WorktreeNames.conflict(state, id)).orElse("");
        return conflict.isEmpty() ? said : said.isBlank() ? conflict : conflict + "\n\n" + said;
    }

    static AgentSpec agent(RunState state, OpenStep step) {
        if (step.position().kind() == StepKind.CHECK
                && state.phase().orElseThrow() instanceof LoopPhase loop
                && loop.until() instanceof Until.Command check) {
            AgentSpec command = AgentSpec.of(
                    ProgramSpec.of(check.command()),
                    new StepLimits(StopSpec.DEFAULTS, Optional.of(check.timeout()), check.idleTimeout()));
            return command.withLoss(
                    LossSpec.DEFAULTS.withSandbox(narrowest(state)).withProtect(protect(state, step)));
        }
        AgentSpec declared = state.manifest().agents().get(step.agent());
        return declared.withProgram(declared.program().withSignal(SignalFiles.of(state, step.agent(), step.position())))
                .withLoss(declared.loss()
                        .withSandbox(declared.loss().sandbox().map(spec -> kept(state, spec)))
                        .withProtect(protect(state, step)));
    }

    /** The globs of the manifest, of the agent, and of those in whose place it works. */
    private static List<String> protect(RunState state, OpenStep step) {
        Stream<String> ofAgents = Stream.of(
                        StepAgents.agentOf(state, step.position()),
                        StepAgents.escalatedFrom(state, step.position()),
                        Optional.of(step.agent()))
                .flatMap(Optional::stream)
                .flatMap(name -> state.manifest().agent(name).stream())
                .flatMap(agent -> agent.loss().protect().stream());
        return Stream.concat(state.manifest().protect().stream(), ofAgents)
                .distinct()
                .toList();
    }

    /** The sandbox of commands that execute what the agents of the phase wrote. */
    static Optional<SandboxSpec> narrowest(RunState state) {
        return SandboxSpec.narrowest(state.phase().stream()
                        .flatMap(state.manifest()::workers)
                        .flatMap(agent -> state.manifest().agent(agent).stream())
                        .flatMap(agent -> agent.loss().sandbox().stream()))
                .map(spec -> kept(state, spec));
    }

    /** At the level that an earlier step had, perhaps on another machine. */
    private static SandboxSpec kept(RunState state, SandboxSpec spec) {
        return spec.atLeast(state.ledger().sandbox());
    }

    /** In a prompt, variables of other items are empty. */
    private static Map<String, String> vars(RunState state, OpenStep step) {
        Map<String, String> vars = new LinkedHashMap<>();
        if (agent(state, step).program().prompt().isPresent()) {
            state.manifest().phases().stream()
                    .filter(EachPhase.class::isInstance)
                    .flatMap(phase -> ((EachPhase) phase).items().stream())
                    .forEach(item -> item.vars().keySet().forEach(name -> vars.put(name, "")));
        }
        vars.putAll(state.manifest().vars());
        step.position().item().flatMap(id -> item(state, id)).ifPresent(item -> vars.putAll(item.vars()));
        return vars;
    }

    private static Optional<ItemSpec> item(RunState state, String id) {
        return state.phase().orElse(null) instanceof EachPhase phase
                        && state.cursor().work() instanceof EachWork each
                ? Optional.of(each.spec(phase, id))
                : Optional.empty();
    }

    private static Optional<String> expectedOutput(RunState state, StepPosition position) {
        Optional<PhaseSpec> phase = state.phase();
        boolean loopStep = position.kind() == StepKind.LOOP;
        return loopStep
                        && phase.isPresent()
                        && phase.get() instanceof LoopPhase loop
                        && loop.until() instanceof Until.Output text
                ? Optional.of(text.text())
                : Optional.empty();
    }
}
