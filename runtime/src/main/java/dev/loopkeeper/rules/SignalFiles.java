package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.Manifest;
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
import java.util.stream.Stream;

/** Determines the signal files of a run, as the manifest names them: relative to the workspace, or absolute. */
public final class SignalFiles {
    private static final Pattern RUN_ID = Pattern.compile("\\{\\{[ \\t]*+runId[ \\t]*+}}");

    private final String runId;
    private final Manifest manifest;
    private final Set<String> found = new LinkedHashSet<>();

    private SignalFiles(RunState state) {
        this.runId = state.runId();
        this.manifest = state.manifest();
    }

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
        return declared(state.runId(), state.manifest(), agent)
                .map(path -> item.map(id -> beside(path, id)).orElse(path));
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
        SignalFiles files = new SignalFiles(state);
        state.steps()
                .values()
                .forEach(step -> of(state, step.agent(), step.position()).ifPresent(files.found::add));
        List<PhaseSpec> phases = files.manifest.phases();
        int first = Math.min(state.cursor().phaseIndex(), phases.size());
        boolean atGate = first > 0 && first < phases.size() && phases.get(first) instanceof GatePhase;
        phases.subList(atGate ? first - 1 : first, phases.size()).forEach(files::add);
        consulted(state, next).forEach(agent -> files.add(agent, List.of(Optional.empty())));
        if (state.git().isPresent()) { // no other run uses files in its worktrees
            files.found.removeIf(path -> !path.startsWith("/"));
        }
        return files.found;
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

    private void add(PhaseSpec phase) {
        List<Optional<String>> items = phase instanceof EachPhase each && each.concurrency() > 1
                ? each.items().stream().map(ItemSpec::id).map(Optional::of).toList()
                : List.of(Optional.empty());
        manifest.workers(phase).forEach(agent -> add(agent, items));
    }

    /** Adds the files of the agent and its fallbacks for these items. */
    private void add(String agent, List<Optional<String>> items) {
        Stream<String> fallback = manifest.agent(agent).map(AgentSpec::fallback).orElse(List.of()).stream();
        Stream.concat(Stream.of(agent), fallback)
                .flatMap(name -> declared(runId, manifest, name).stream())
                .forEach(path -> items.forEach(
                        item -> found.add(item.map(id -> beside(path, id)).orElse(path))));
    }

    private static Optional<String> declared(String runId, Manifest manifest, String agent) {
        return manifest.agent(agent)
                .flatMap(spec -> spec.program().signal())
                .map(path -> RUN_ID.matcher(path).replaceAll(Matcher.quoteReplacement(runId)));
    }

    private static String beside(String path, String item) {
        int dot = path.lastIndexOf('.');
        boolean hasSuffix = dot > path.lastIndexOf('/') + 1;
        return hasSuffix ? path.substring(0, dot) + "." + item + path.substring(dot) : path + "." + item;
    }
}
