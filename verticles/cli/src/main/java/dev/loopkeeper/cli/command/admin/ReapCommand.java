package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.print.ReceiptReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.json.Json;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper reap}. */
@Command(
        name = "reap",
        description = {
            "List orphaned processes: processes that steps started and that outlived their step. --yes ends them.",
            "With --run or --workspace also list running agents; on a terminal you are asked about each one."
        })
public final class ReapCommand extends FactsCommand {
    @Option(names = "--yes", fallbackValue = "true", description = "End all listed processes.")
    private boolean yes;

    @Mixin
    private final ProcessChoice choice = new ProcessChoice();

    /**
     * @param processes running agents, if a run or a workspace was named
     * @param unanswered nodes that did not answer; empty without a cluster
     */
    private record Found(
            List<Entry> strays,
            @JsonSetter(nulls = Nulls.AS_EMPTY) List<Entry> processes,
            List<KillReceipt> receipts,
            Optional<List<String>> unanswered) {}

    private record Entry(
            String runId, String stepId, Optional<String> role, long pid, String command, Optional<String> node) {}

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Api server = session.requireServer();
            ObjectNode body = Json.MAPPER.createObjectNode().put("dryRun", !yes).put("living", choice.named());
            choice.addTo(body, session, root);
            Document<Found> found = server.post("/processes/reap", body, Found.class);
            if (found.view().strays().isEmpty() && found.view().processes().isEmpty()) {
                choice.foundNothing();
            }
            print(found, known -> print(server, known));
        }
        return ExitCodes.DONE;
    }

    private void print(Api server, Found found) {
        found.strays().forEach(orphan -> print("orphan", orphan));
        found.processes().forEach(agent -> print("agent", agent));
        if (found.strays().isEmpty() && found.processes().isEmpty()) {
            print("no orphaned processes");
        } else if (yes) {
            found.receipts().forEach(receipt -> ReceiptReport.print(root.console(), receipt));
        } else {
            askOrHint(server, found);
        }
        ProcessChoice.warnOfSilent(root.console(), found.unanswered());
    }

    private void askOrHint(Api server, Found found) {
        boolean asks = !found.processes().isEmpty() && root.console().keyboard().isPresent();
        if (asks) {
            found.processes().forEach(agent -> ask(server, agent));
        }
        if (!asks || !found.strays().isEmpty()) {
            root.console()
                    .err()
                    .println((asks ? "no orphan" : "no process") + " was ended; end all of them with: "
                            + root.hint("reap" + choice.typed() + " --yes"));
        }
    }

    private void ask(Api server, Entry agent) {
        String role = agent.role().orElseThrow();
        String answer =
                root.console().ask("end " + role + " of " + agent.runId() + ", pid " + agent.pid() + "? [y/N] ");
        if (answer.strip().equalsIgnoreCase("y")) {
            String path = "/processes/" + Api.encoded(agent.runId()) + "/" + Api.encoded(agent.stepId()) + "/kill";
            ReceiptReport.print(
                    root.console(),
                    server.post(path, Json.MAPPER.createObjectNode(), KillReceipt.class)
                            .view());
        }
    }

    private void print(String kind, Entry process) {
        print(kind + " " + process.pid()
                + process.node().map(node -> " on " + Words.oneLine(node)).orElse("") + " of "
                + process.stepId() + " of " + process.runId() + ": " + Words.oneLine(process.command()));
    }
}
