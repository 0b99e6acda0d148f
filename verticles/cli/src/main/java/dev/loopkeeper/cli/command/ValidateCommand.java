package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.SandboxSpec;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.process.SandboxMachine;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.SandboxPlan;
import dev.loopkeeper.submit.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code loopkeeper validate MANIFEST}. */
@Command(name = "validate", description = "Check a manifest and every file and program it names; start nothing.")
public final class ValidateCommand extends FactsCommand {
    @Mixin
    private final ManifestOptions manifest = new ManifestOptions();

    /** By agent. */
    private final Map<String, String> levels = new LinkedHashMap<>();

    private SandboxMachine machine;

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Submission checked = manifest.check(session, root);
            if (checked instanceof Submission.Refused refused) {
                return refused(refused.problems());
            }
            accepted(confined((Submission.Accepted) checked));
        }
        return ExitCodes.DONE;
    }

    /** Finds the levels of sandboxes; warns of one that this machine cannot enforce. */
    private Submission.Accepted confined(Submission.Accepted accepted) {
        Submission.Accepted checked = accepted;
        for (Map.Entry<String, AgentSpec> agent : accepted.manifest().agents().entrySet()) {
            Optional<SandboxSpec> spec = agent.getValue().loss().sandbox();
            if (spec.isPresent()) {
                Optional<String> lacking = lacking(agent.getKey(), agent.getValue(), spec.get(), accepted);
                checked = lacking.isEmpty()
                        ? checked
                        : checked.warned(ManifestProblem.at(
                                "agents." + agent.getKey() + ".sandbox",
                                "this machine cannot enforce the sandbox: " + lacking.get()));
            }
        }
        return checked;
    }

    private Optional<String> lacking(String name, AgentSpec agent, SandboxSpec spec, Submission.Accepted accepted) {
        Path data = root.dataFolder().path();
        try {
            if (machine == null) {
                machine = SandboxMachine.near(data);
            }
            SandboxPlan plan = machine.plan(
                    spec,
                    agent.program().command(),
                    data,
                    Path.of(accepted.workspace()),
                    accepted.manifest().isolation().isEmpty());
            levels.put(name, plan.lacking().isEmpty() ? plan.level() : "cannot be enforced here");
            return plan.lacking();
        } catch (IOException | UncheckedIOException unknown) {
            return Optional.of(unknown.getMessage());
        }
    }

    private static String limits(AgentSpec agent) {
        StepLimits limits = agent.limitsInForce();
        return "timeout " + limit(limits.timeout()) + ", idleTimeout " + limit(limits.idleTimeout());
    }

    private static String limit(Optional<Duration> limit) {
        return limit.map(time -> Amounts.duration(time.toMillis())).orElse("none");
    }

    private int refused(List<ManifestProblem> problems) {
        if (!json.wanted()) {
            throw CommandFailure.refused(ManifestOptions.text(manifest.file(), problems));
        }
        ObjectNode answer = Json.MAPPER.createObjectNode().put("valid", false);
        ArrayNode errors = answer.putArray("errors");
        problems.forEach(problem -> errors.add(problem.json()));
        print(JsonOption.pretty(answer));
        return ExitCodes.REFUSED;
    }

    private void accepted(Submission.Accepted accepted) {
        Manifest read = accepted.manifest();
        if (json.wanted()) {
            ObjectNode answer =
                    Json.MAPPER.createObjectNode().put("valid", true).put("name", read.name());
            answer.put("workspace", accepted.workspace()).setAll(accepted.findings());
            answer.set("manifest", accepted.document());
            if (!levels.isEmpty()) {
                answer.set("sandboxes", Json.MAPPER.valueToTree(levels));
            }
            print(JsonOption.pretty(answer));
        } else {
            manifest.warn(root.console(), accepted);
            print(manifest.file() + " is valid: " + read.name() + ", "
                    + Amounts.count(read.agents().size(), "agent") + ", "
                    + Amounts.count(read.phases().size(), "phase") + ", workspace " + accepted.workspace());
            read.agents()
                    .forEach((name, agent) -> print("  " + name + ": " + limits(agent)
                            + (levels.containsKey(name) ? ", sandbox " + levels.get(name) : "")));
        }
    }
}
