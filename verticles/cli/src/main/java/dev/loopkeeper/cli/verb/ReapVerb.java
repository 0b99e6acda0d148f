package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.ReceiptReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.process.Reaped;
import dev.loopkeeper.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper reap}. */
@Command(name = "reap", description = "List processes of Loopkeeper that belong to no open step; --yes ends them.")
public final class ReapVerb implements Callable<Integer> {
    private final RootCommand root;

    @Option(names = "--yes", description = "End them.")
    private boolean yes;

    @Mixin
    private JsonOption json;

    public ReapVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            JsonNode body = Json.MAPPER.createObjectNode().put("dryRun", !yes);
            json.print(
                    root.console(), session.requireServer().post("/processes/reap", body, Reaped.class), this::print);
        }
        return ExitCodes.DONE;
    }

    private void print(Reaped reaped) {
        if (reaped.strays().isEmpty()) {
            root.console().print("no strays");
            return;
        }
        reaped.strays()
                .forEach(stray -> root.console()
                        .print("stray " + stray.pid() + " of " + stray.stepId() + " of " + stray.runId() + ": "
                                + Words.oneLine(stray.command())));
        reaped.receipts().forEach(new ReceiptReport(root.console())::print);
        if (!yes) {
            root.console().err().println("nothing was ended; do it with: " + root.hint("reap --yes"));
        }
    }
}
