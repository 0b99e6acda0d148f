package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.json.Json;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper end RUN --reason CODE}. */
@Command(
        name = "end",
        description = "End a run with a reason code of your own: it is stopped as by stop, and the ending records"
                + " the reason.")
public final class EndCommand extends RunEnding {
    @Option(
            names = "--reason",
            paramLabel = "CODE",
            description = "A code of `loopkeeper terminations`, or of the manifest's reasons; required.")
    private String reason;

    @Option(
            names = "--summary",
            paramLabel = "TEXT",
            defaultValue = "ended by an operator",
            description = "One line that says why.")
    private String summary;

    @Option(
            names = "--qualifier",
            paramLabel = "TEXT",
            description = "Detail of the reason, e.g. the licence that expired.")
    private String qualifier;

    public EndCommand() {
        super("end");
    }

    @Override
    public Integer call() {
        if (reason == null) {
            throw CommandFailure.refused("--reason is missing; `loopkeeper terminations` lists the codes");
        }
        ObjectNode body = Json.MAPPER.createObjectNode().put("reason", reason).put("summary", summary);
        Optional.ofNullable(qualifier).ifPresent(text -> body.put("qualifier", text));
        return request(body);
    }
}
