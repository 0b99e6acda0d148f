package dev.loopkeeper.cli.command;

import dev.loopkeeper.json.Json;
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
        return request(Json.MAPPER.createObjectNode().put("now", now).put("reason", reason));
    }
}
