package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loopkeeper ps}. */
@Command(name = "ps", description = "List the agents that run now.")
final class PsVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private JsonOption json;

    PsVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            JsonNode found = session.requireServer().get("/processes");
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(found));
            } else {
                print(found.path("processes"));
            }
        }
        return ExitCodes.DONE;
    }

    private void print(JsonNode processes) {
        if (processes.isEmpty()) {
            root.console().err().println("no agents");
            return;
        }
        Table table = new Table("RUN", "STEP", "ROLE", "PID", "STATE", "COMMAND");
        processes.forEach(process -> table.add(
                process.path("runId").asText(),
                process.path("stepId").asText(),
                process.path("role").asText(),
                process.path("pid").asText(),
                process.path("state").asText(),
                Words.oneLine(process.path("command").asText())));
        table.lines().forEach(root.console()::print);
    }
}
