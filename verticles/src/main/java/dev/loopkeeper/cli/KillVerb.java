package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code loopkeeper kill RUN ROLE}. */
@Command(name = "kill", description = "End the running step of one role; the run decides what follows.")
final class KillVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Parameters(index = "1", paramLabel = "ROLE", description = "Name of the agent, e.g. dev.")
    private String role;

    @Mixin
    private JsonOption json;

    KillVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            String path = "/processes/" + Api.encoded(run.id()) + "/" + Api.encoded(role) + "/kill";
            JsonNode receipt = session.requireServer().post(path, Json.MAPPER.createObjectNode());
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(receipt));
            } else {
                new ReceiptReport(root.console()).print(receipt);
            }
            return receipt.path("outcome").asText().equals("survivors") ? ExitCodes.REFUSED : ExitCodes.DONE;
        }
    }
}
