package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is to do, read strictly from YAML or JSON by its strict reader. All maps keep the order of the file.
 *
 * @param name the run's name, {@code [A-Za-z0-9][A-Za-z0-9_-]*}, at most 64 characters, e.g. {@code fix-flaky-tests}
 * @param workspace working directory of the agents as written, e.g. {@code .}; relative to the manifest's folder
 * @param env environment of every agent, beside the runtime's own
 * @param vars values for prompt templates, written there as vars.x between double braces
 * @param agents by name; every agent that a phase names is in here
 * @param phases in order, at least one, names unique
 * @param isolation the worktree that the run has of its own; absent: the agents work in the workspace itself
 * @param notifications written {@code notify}: who is told of which events
 * @param reasons terminal reason codes added by the consumer
 * @param errors lines of the table of errors that come before the built-in ones, in their order
 */
public record Manifest(
        String name,
        String workspace,
        Map<String, String> env,
        Map<String, String> vars,
        Map<String, AgentSpec> agents,
        List<PhaseSpec> phases,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Isolation> isolation,
        Budget budget,
        RetryPolicy retry,
        List<NotifySpec> notifications,
        List<ReasonSpec> reasons,
        List<ErrorRuleSpec> errors) {

    /** What was recorded before there were worktrees has none; before the table of errors, adds nothing to it. */
    public Manifest {
        errors = errors == null ? List.of() : errors;
        isolation = isolation == null ? Optional.empty() : isolation;
    }

    /** The agent with this name, if declared. */
    public Optional<AgentSpec> agent(String agentName) {
        return Optional.ofNullable(agents.get(agentName));
    }

    /** The same with another phase at this place, counted from 0. */
    public Manifest withPhase(int index, PhaseSpec phase) {
        List<PhaseSpec> changed = new ArrayList<>(phases);
        changed.set(index, phase);
        return new Manifest(
                name,
                workspace,
                env,
                vars,
                agents,
                List.copyOf(changed),
                isolation,
                budget,
                retry,
                notifications,
                reasons,
                errors);
    }

    /** The phase at this place, counted from 0. */
    public PhaseSpec phase(int index) {
        return phases.get(index);
    }
}
