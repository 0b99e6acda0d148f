package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.ReceiptReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.json.Json;
import java.util.List;
import java.util.Optional;

/** {@code loopkeeper reap}. */
public final class ReapVerb implements Verb {
    private final RootCommand root;
    private boolean yes;
    private final JsonOption json = new JsonOption();

    public ReapVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "reap", "List processes of Loopkeeper that belong to no open step; --yes ends them.")
                .flag("--yes", "End them.", value -> yes = value)
                .and(json);
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
