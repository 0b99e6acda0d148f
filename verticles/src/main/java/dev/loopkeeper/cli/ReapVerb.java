package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper reap}. */
@Command(name = "reap", description = "List processes of Loopkeeper that belong to no open step; --yes ends them.")
final class ReapVerb implements Callable<Integer> {
    private final RootCommand root;

    @Option(names = "--yes", description = "End them.")
    private boolean yes;

    @Mixin
    private JsonOption json;

    ReapVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            JsonNode body = Json.MAPPER.createObjectNode().put("dryRun", !yes);
            JsonNode reaped = session.requireServer().post("/processes/reap", body);
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(reaped));
            } else {
                print(reaped);
            }
        }
        return ExitCodes.DONE;
    }

    private void print(JsonNode reaped) {
        if (reaped.path("strays").isEmpty()) {
            root.console().print("no strays");
            return;
        }
        reaped.path("strays")
                .forEach(stray -> root.console()
                        .print("stray " + stray.path("pid").asText() + " of "
                                + stray.path("stepId").asText() + " of "
                                + stray.path("runId").asText() + ": "
                                + Words.oneLine(stray.path("command").asText())));
        reaped.path("receipts").forEach(receipt -> new ReceiptReport(root.console()).print(receipt));
        if (!yes) {
            root.console().err().println("nothing was ended; do it with: " + root.hint("reap --yes"));
        }
    }
}
