package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.termination.ResumeAction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Determines the signal files of a run, as the manifest names them: relative to the workspace, or absolute. */
public final class SignalFiles {
    private static final Pattern RUN_ID = Pattern.compile("\\{\\{[ \\t]*+runId[ \\t]*+}}");

    private SignalFiles() {}

    /**
     * The signal file of an agent at this position; empty when the agent declares none. Each parallel item has its own
     * file beside the declared one, e.g. {@code .loopkeeper/dev.f1.json}.
     */
    static Optional<String> of(RunState state, String agent, StepPosition position) {
        if (position.kind() == StepKind.CHECK) { // the loop's command, even if an agent has its name
            return Optional.empty();
        }
        Optional<String> item = position.item()
                .filter(id -> state.phase().orElseThrow() instanceof EachPhase each && each.concurrency() > 1);
        return declared(state, agent).map(path -> ofItem(path, item));
    }

    /** Whether no open step of this run writes the same signal file. */
    static boolean free(RunState state, String agent, StepPosition position) {
        Optional<String> path = of(state, agent, position);
        return path.isEmpty()
                || state.steps().values().stream()
                        .noneMatch(
                                step -> of(state, step.agent(), step.position()).equals(path));
    }

    /**
     * Every signal file that the run may still write: those of open steps, of the remaining phases and of consulted
     * agents after this input. A gate may return the run to the previous phase.
     */
    public static Set<String> ahead(RunState present, RunInput next) {
        RunState state =
                request(present, next).map(request -> request.on(present)).orElse(present);
        List<PhaseSpec> phases = state.manifest().phases();
        int first = Math.min(state.cursor().phaseIndex(), phases.size());
        boolean atGate = first > 0 && first < phases.size() && phases.get(first) instanceof GatePhase;
        Stream<String> open =
                state.steps().values().stream().flatMap(step -> of(state, step.agent(), step.position()).stream());
        Stream<String> remaining = phases.subList(atGate ? first - 1 : first, phases.size()).stream()
                .flatMap(phase -> ofPhase(state, phase));
        Stream<String> consulted =
                consulted(state, next).stream().flatMap(agent -> ofAgent(state, agent, List.of(Optional.empty())));
        return Stream.of(open, remaining, consulted)
                .flatMap(files -> files)
                // No other run uses files in its worktrees.
                .filter(path -> state.git().isEmpty() || path.startsWith("/"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Reflection may recommend refining the plan. */
    private static List<String> consulted(RunState state, RunInput next) {
        return request(state, next)
                .flatMap(ResumeRequest::action)
                .map(action -> action == ResumeAction.CONSULT_REFLECTION
                        ? List.of(action, ResumeAction.REFINE_PLAN)
                        : List.of(action))
                .orElse(List.of())
                .stream()
                .flatMap(action -> action.agent().stream())
                .toList();
    }

    /** The requested resume, or the one that waits for a slot. */
    private static Optional<ResumeRequest> request(RunState state, RunInput next) {
        Optional<ResumeRequest> pendingResume = state.condition() instanceof Condition.Queued queued
                ? queued.pendingResume().map(Condition.PendingResume::request)
                : Optional.empty();
        return next instanceof RunInput.Resume resume ? Optional.of(resume.request()) : pendingResume;
    }

    private static Stream<String> ofPhase(RunState state, PhaseSpec phase) {
        List<Optional<String>> items = phase instanceof EachPhase each && each.concurrency() > 1
                ? each.items().stream().map(ItemSpec::id).map(Optional::of).toList()
                : List.of(Optional.empty());
        return state.manifest().workers(phase).flatMap(agent -> ofAgent(state, agent, items));
    }

    /** The files of the agent and its fallbacks for these items. */
    private static Stream<String> ofAgent(RunState state, String agent, List<Optional<String>> items) {
        List<String> fallback =
                state.manifest().agent(agent).map(AgentSpec::fallback).orElse(List.of());
        return Stream.concat(Stream.of(agent), fallback.stream())
                .flatMap(name -> declared(state, name).stream())
                .flatMap(path -> items.stream().map(item -> ofItem(path, item)));
    }

    private static Optional<String> declared(RunState state, String agent) {
        return state.manifest()
                .agent(agent)
                .flatMap(spec -> spec.program().signal())
                .map(path -> RUN_ID.matcher(path).replaceAll(Matcher.quoteReplacement(state.runId())));
    }

    private static String ofItem(String path, Optional<String> item) {
        return item.map(id -> beside(path, id)).orElse(path);
    }

    private static String beside(String path, String item) {
        int dot = path.lastIndexOf('.');
        boolean hasSuffix = dot > path.lastIndexOf('/') + 1;
        return hasSuffix ? path.substring(0, dot) + "." + item + path.substring(dot) : path + "." + item;
    }
}
