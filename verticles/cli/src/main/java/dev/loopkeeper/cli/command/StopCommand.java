package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper stop RUN}. */
@Command(
        name = "stop",
        description =
                "Stop a run and wait until none of its processes is left. Without a server this process stops the run.")
public final class StopCommand extends RunEnding {
    @Option(names = "--now", fallbackValue = "true", description = "Kill at once, without the grace period.")
    private boolean now;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the run.")
    private String reason;

    public StopCommand() {
        super("stop");
    }

    @Override
    public Integer call() {
        ObjectNode body = Json.MAPPER.createObjectNode().put("now", now);
        Optional.ofNullable(reason).ifPresent(text -> body.put("reason", text));
        return request(body);
    }
}
