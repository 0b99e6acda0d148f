package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes what a run does, as read from YAML or JSON. All maps keep the order of the file.
 *
 * @param name the run's name, {@code [A-Za-z0-9][A-Za-z0-9_-]*}, at most 64 characters, e.g. {@code fix-flaky-tests}
 * @param workspace working directory of the agents as written, e.g. {@code .}; relative to the manifest's folder
 * @param env environment of every agent, added to the runtime's variables
 * @param vars values for prompt templates, which name them as vars.x between double braces
 * @param agents by name; contains every agent that a phase names
 * @param phases in order, at least one, names unique
 * @param isolation the run's own worktree; absent: the agents work in the workspace
 * @param notifications written {@code notify}: targets of notifications and their events
 * @param reasons terminal reason codes added by the consumer
 * @param errors rows of the error table that precede the built-in rows
 * @param protect globs of files, relative to the workspace, that no step may change
 * @param priority which run is next where several wait for a pool, -100 to 100; default 0
 */
@JsonPropertyOrder("formatVersion")
@RecordBuilder
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
        List<ErrorRuleSpec> errors,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> protect,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int priority)
        implements ManifestBuilder.With {
    private static final int FORMAT = 1;

    /** The format in which events and snapshots record this manifest; theirs says how it is read. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public int formatVersion() {
        return FORMAT;
    }

    /** The declared agent with this name. */
    public Optional<AgentSpec> agent(String agentName) {
        return Optional.ofNullable(agents.get(agentName));
    }

    /** Whether this agent is Java. */
    public boolean isHandler(String agentName) {
        return agent(agentName).flatMap(agent -> agent.program().handler()).isPresent();
    }

    /** The takeovers from an agent in turn: by the agent that it names, by the one that this agent names, and so on. */
    public List<EscalateSpec> escalations(String agentName) {
        return Stream.iterate(
                        escalation(agentName),
                        Optional::isPresent,
                        spec -> escalation(spec.get().to()))
                .limit(agents.size())
                .flatMap(Optional::stream)
                .toList();
    }

    /** The agents that a phase names and those that may take over from them. */
    public Stream<String> workers(PhaseSpec phase) {
        return phase.agents().stream()
                .flatMap(agent -> Stream.concat(
                        Stream.of(agent), escalations(agent).stream().map(EscalateSpec::to)));
    }

    private Optional<EscalateSpec> escalation(String agentName) {
        return agent(agentName).flatMap(AgentSpec::escalate);
    }

    /** Returns a copy with another phase at this index, counted from 0. */
    public Manifest withPhase(int index, PhaseSpec phase) {
        List<PhaseSpec> changed = new ArrayList<>(phases);
        changed.set(index, phase);
        return withPhases(List.copyOf(changed));
    }

    /** The phase at this index, counted from 0. */
    public PhaseSpec phase(int index) {
        return phases.get(index);
    }
}
