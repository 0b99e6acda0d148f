package dev.loopkeeper.cli.command.admin;

import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code loopkeeper doctor}. */
@Command(
        name = "doctor",
        description = {
            "Check which guarantees hold on this machine; exit code 2 if a required one does not.",
            "Tests containment by killing process trees that try to escape.",
            "Finds claude, codex, gemini and opencode on the PATH with version and login; sends no prompt.",
            "With --store and the other options of a node, also checks what the node depends on; joins and changes nothing."
        })
public final class DoctorCommand extends FactsCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Mixin
    private final ServeCluster cluster = new ServeCluster();

    private record Findings(List<MachineCheck> checks, List<AgentChecks.Agent> agents) {}

    @Override
    public Integer call() {
        cluster.checkAlone();
        List<MachineCheck> checks = new ArrayList<>(
                new MachineChecks(root.dataFolder().path(), root.console().environment()).all());
        try (Session session = root.open()) {
            checks.addAll(new ContainmentChecks(session.vertx()).all());
            checks.addAll(cluster.checks(
                    session.vertx(), root.dataFolder().path(), root.console().environment()));
        }
        List<AgentChecks.Agent> agents = new AgentChecks(root.console().environment(), PATIENCE).all();
        print(Json.MAPPER.valueToTree(new Findings(checks, agents)), () -> {
            checks.forEach(check -> print(line(check)));
            print(agents);
        });
        return checks.stream().allMatch(check -> check.holds() || !check.needed()) ? ExitCodes.DONE : ExitCodes.REFUSED;
    }

    private String line(MachineCheck check) {
        String mark = check.holds()
                ? Paint.GREEN.on(root.console(), "yes")
                : (check.needed() ? Paint.RED : Paint.YELLOW).on(root.console(), "no ");
        return mark + "  " + check.guarantee() + " (" + check.found() + ")" + remedy(check.remedy());
    }

    private static String remedy(Optional<String> remedy) {
        return remedy.map(todo -> "\n     " + todo).orElse("");
    }

    private void print(List<AgentChecks.Agent> agents) {
        if (agents.isEmpty()) {
            print(Paint.YELLOW.on(root.console(), "no ")
                    + "  agents are on the PATH (no claude, codex, gemini or opencode)"
                    + remedy(Optional.of("install one, or use any other command as an agent")));
        }
        agents.forEach(agent -> print(line(agent)));
    }

    private String line(AgentChecks.Agent agent) {
        String mark = switch (agent.login()) {
            case YES -> Paint.GREEN.on(root.console(), "yes");
            case NO -> Paint.YELLOW.on(root.console(), "no ");
            case UNKNOWN -> Paint.YELLOW.on(root.console(), "?  ");
        };
        return mark + "  agent " + agent.agent()
                + (agent.login() == AgentChecks.Login.YES
                        ? " is logged in (" + agent.found() + "; "
                        : ": " + agent.found() + " (")
                + agent.version() + ", " + agent.path() + ")" + remedy(agent.remedy());
    }
}
