package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.ReceiptReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.json.Json;
import java.util.List;
import java.util.Optional;
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

    /** Who did not answer is absent without a cluster. */
    private record Found(List<Stray> strays, List<KillReceipt> receipts, Optional<List<String>> unanswered) {}

    private record Stray(String runId, String stepId, long pid, String command, Optional<String> node) {}

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            JsonNode body = Json.MAPPER.createObjectNode().put("dryRun", !yes);
            json.print(root.console(), session.requireServer().post("/processes/reap", body, Found.class), this::print);
        }
        return ExitCodes.DONE;
    }

    private void print(Found reaped) {
        printStrays(reaped);
        Unanswered.tell(root.console(), reaped.unanswered());
    }

    private void printStrays(Found reaped) {
        if (reaped.strays().isEmpty()) {
            root.console().print("no strays");
            return;
        }
        reaped.strays().forEach(this::print);
        reaped.receipts().forEach(new ReceiptReport(root.console())::print);
        if (!yes) {
            root.console().err().println("nothing was ended; do it with: " + root.hint("reap --yes"));
        }
    }

    private void print(Stray stray) {
        root.console()
                .print("stray " + stray.pid()
                        + stray.node().map(node -> " on " + Words.oneLine(node)).orElse("") + " of " + stray.stepId()
                        + " of " + stray.runId() + ": " + Words.oneLine(stray.command()));
    }
}
