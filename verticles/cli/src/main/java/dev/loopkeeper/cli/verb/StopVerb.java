package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.json.Json;
import java.util.Optional;

/** {@code loopkeeper stop RUN}. */
public final class StopVerb implements Verb {
    private final RunEnding ending;
    private boolean now;
    private String reason;

    public StopVerb(RootCommand root) {
        ending = new RunEnding(root, "stop");
    }

    @Override
    public Arguments arguments() {
        return new Arguments(
                        this,
                        "stop",
                        "Stop a run: it is done when no process of it is left. Without a server this process does it.")
                .flag("--now", "Kill at once, without the grace.", value -> now = value)
                .option("--reason", "TEXT", "Kept with the run.")
                .text(value -> reason = value)
                .and(ending);
    }

    @Override
    public Integer call() {
        ObjectNode body = Json.MAPPER.createObjectNode().put("now", now);
        Optional.ofNullable(reason).ifPresent(text -> body.put("reason", text));
        return ending.request(body);
    }
}
