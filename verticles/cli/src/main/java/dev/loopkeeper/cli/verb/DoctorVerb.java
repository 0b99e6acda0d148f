package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Paint;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loopkeeper doctor}. */
@Command(
        name = "doctor",
        description = {
            "Check which guarantees hold on this machine; exit 2 when one that matters does not.",
            "Proves the containment by ending process trees that do not want to go.",
            "With --store and what else the node is served with, also what the node rests on; nothing is joined or changed."
        })
public final class DoctorVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final ServeCluster cluster = new ServeCluster();

    public DoctorVerb(RootCommand root) {
        this.root = root;
    }

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
        if (json.wanted()) {
            root.console().print(JsonOption.pretty(document(checks)));
        } else {
            checks.forEach(check -> root.console().print(line(check)));
        }
        return checks.stream().allMatch(check -> check.holds() || !check.needed()) ? ExitCodes.DONE : ExitCodes.REFUSED;
    }

    private String line(MachineCheck check) {
        String mark = check.holds()
                ? Paint.GREEN.on(root.console(), "yes")
                : (check.needed() ? Paint.RED : Paint.YELLOW).on(root.console(), "no ");
        return mark + "  " + check.guarantee() + " (" + check.found() + ")";
    }

    static ObjectNode document(List<MachineCheck> checks) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        ArrayNode list = document.putArray("checks");
        for (MachineCheck check : checks) {
            list.addObject()
                    .put("guarantee", check.guarantee())
                    .put("holds", check.holds())
                    .put("needed", check.needed())
                    .put("found", check.found());
        }
        return document;
    }
}
