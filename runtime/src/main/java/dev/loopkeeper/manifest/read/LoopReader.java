package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.OnStalled;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.Until;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the body of a {@code loop} phase. */
record LoopReader(Map<String, AgentSpec> agents) {
    static final List<String> KEYS =
            List.of("maxIterations", "steps", "until", "onStalled", "pauseEvery", "noProgress");
    static final List<String> STEP_KEYS = List.of("agent", "every", "when");
    static final List<String> UNTIL_KEYS = List.of("output", "command", "timeout", "idleTimeout", "first");
    static final int MAX_ITERATIONS = 20;

    Optional<PhaseSpec> read(DocumentNode node, String name, boolean critical) {
        return Fields.of(node, KEYS).map(fields -> loop(fields, name, critical));
    }

    private PhaseSpec loop(Fields fields, String name, boolean critical) {
        List<LoopStep> steps = steps(fields);
        Until until = fields.at("until").flatMap(this::until).orElseGet(() -> naturalEnd(steps));
        return new LoopPhase(
                name,
                fields.whole("maxIterations", 0, MAX_ITERATIONS),
                steps,
                until,
                fields.choice("onStalled", Choices.ON_STALLED, OnStalled.CONTINUE),
                fields.whole("pauseEvery", 0, 0),
                fields.whole("noProgress", 0, until instanceof Until.Signal ? LoopPhase.NO_PROGRESS : 0),
                critical);
    }

    private List<LoopStep> steps(Fields fields) {
        return fields.elements("steps", "list the agents of an iteration, e.g. [dev, judge]", "step")
                .flatMap(step -> step(step).stream())
                .toList();
    }

    private Optional<LoopStep> step(DocumentNode node) {
        if (!node.value().isObject()) {
            return AgentNames.read(node, agents.keySet()).map(agent -> new LoopStep(agent, 1, false));
        }
        return Fields.of(node, STEP_KEYS)
                .map(fields -> new LoopStep(
                        fields.required("agent", "name the agent of this step")
                                .flatMap(agent -> AgentNames.read(agent, agents.keySet()))
                                .orElse(""),
                        fields.whole("every", 1, 1),
                        !fields.choice("when", Choices.WHEN, "").isEmpty()));
    }

    private Until naturalEnd(List<LoopStep> steps) {
        boolean signals = steps.stream()
                .map(step -> agents.get(step.agent()))
                .anyMatch(agent -> agent != null && agent.program().signal().isPresent());
        return signals ? new Until.Signal() : new Until.Iterations();
    }

    private Optional<Until> until(DocumentNode node) {
        if (!node.value().isObject()) {
            return node.choice(Choices.UNTIL);
        }
        return Fields.of(node, UNTIL_KEYS).flatMap(this::condition);
    }

    private Optional<Until> condition(Fields fields) {
        if (fields.has("output") == fields.has("command")) {
            fields.map().wrong("expected exactly one of output and command");
            return Optional.empty();
        }
        Optional<Duration> timeout = fields.duration("timeout", DocumentNode.POSITIVE);
        Optional<Duration> idleTimeout = fields.duration("idleTimeout", DocumentNode.POSITIVE);
        boolean first = fields.flag("first", true);
        if (fields.has("output")) {
            Stream.of("timeout", "idleTimeout", "first")
                    .flatMap(key -> fields.at(key).stream())
                    .forEach(limit -> limit.wrongKey("only a command has time limits and runs first"));
            return fields.text("output").map(Until.Output::new);
        }
        return fields.at("command")
                .flatMap(CommandReader::read)
                .map(command -> new Until.Command(command, timeout.orElse(Until.Command.TIMEOUT), idleTimeout, first));
    }
}
