package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper pause RUN}. */
@Command(name = "pause", description = "Pause a run before its next step; open steps are completed first.")
public final class PauseCommand extends OneRunCommand {
    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the run.")
    private String reason;

    @Mixin
    private final LaterOption later = new LaterOption();

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Api server = session.requireServer();
            run.find(session, root);
            ObjectNode body = Json.MAPPER.createObjectNode();
            Optional.ofNullable(reason).ifPresent(text -> body.put("reason", text));
            later.addTo(body, "at");
            JsonNode paused =
                    server.post(Api.run(run.id()) + "/pause", body, Run.class).json();
            print(paused, () -> print(paused));
        }
        return ExitCodes.DONE;
    }

    private void print(JsonNode asked) {
        boolean paused = asked.path("status").asText().equals(RunStatus.PAUSED.wire());
        String planned = asked.path("pauseAt").asText("");
        String yet = paused
                ? ""
                : planned.isEmpty() || planned.equals("null")
                        ? "; it pauses when its open steps have ended"
                        : "; it pauses at " + planned;
        print(RunReport.headline(root.console(), asked) + yet);
    }
}
