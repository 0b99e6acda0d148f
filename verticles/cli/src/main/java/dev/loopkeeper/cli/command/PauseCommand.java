package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
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
            ObjectNode body = Json.MAPPER.createObjectNode().put("reason", reason);
            later.addTo(body, "at");
            print(server.post(Api.run(run.id()) + "/pause", body, Run.class), this::print);
        }
        return ExitCodes.DONE;
    }

    private void print(Run asked) {
        String yet = asked.status() == RunStatus.PAUSED
                ? ""
                : asked.pauseAt()
                        .map(planned -> "; it pauses at " + Json.time(planned))
                        .orElse("; it pauses when its open steps have ended");
        print(RunReport.headline(root.console(), asked) + yet);
    }
}
