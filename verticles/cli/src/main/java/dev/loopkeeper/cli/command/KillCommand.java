package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.ReceiptReport;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper kill RUN ROLE}. */
@Command(name = "kill", description = "Kill the running step of an agent; the run's rules decide what follows.")
public final class KillCommand extends OneRunCommand {
    @Parameters(
            index = "1",
            paramLabel = "ROLE",
            description = "Name of the agent, e.g. dev, or the id of one of its steps.")
    private String role;

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Api server = session.requireServer();
            run.find(session, root);
            String path = "/processes/" + Api.encoded(run.id()) + "/" + Api.encoded(role) + "/kill";
            Document<KillReceipt> receipt = server.post(path, Json.MAPPER.createObjectNode(), KillReceipt.class);
            print(receipt, killed -> ReceiptReport.print(root.console(), killed));
            return receipt.view().outcome() == KillReceipt.Outcome.survivors ? ExitCodes.REFUSED : ExitCodes.DONE;
        }
    }
}
