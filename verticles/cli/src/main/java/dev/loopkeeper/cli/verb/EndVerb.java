package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.json.Json;
import java.util.Optional;

/** {@code loopkeeper end RUN --reason CODE}. */
public final class EndVerb implements Verb {
    private final RunEnding ending;
    private String reason;
    private String summary;
    private String qualifier;

    public EndVerb(RootCommand root) {
        ending = new RunEnding(root, "end");
    }

    @Override
    public Arguments arguments() {
        return new Arguments(
                        this,
                        "end",
                        "End a run with a reason code of your own: it is stopped as by stop, and the ending records"
                                + " the reason.")
                .option(
                        "--reason",
                        "CODE",
                        "A code of `loopkeeper terminations`, or of the manifest's reasons; needed.")
                .text(value -> reason = value)
                .option("--summary", "TEXT", "Why, in a line.")
                .orElse("ended by an operator")
                .text(value -> summary = value)
                .option("--qualifier", "TEXT", "Recorded beside the reason, e.g. the licence that it is about.")
                .text(value -> qualifier = value)
                .and(ending);
    }

    @Override
    public Integer call() {
        if (reason == null) {
            throw CommandFailure.refused("--reason is missing; `loopkeeper terminations` lists the codes");
        }
        ObjectNode body = Json.MAPPER.createObjectNode().put("reason", reason).put("summary", summary);
        Optional.ofNullable(qualifier).ifPresent(text -> body.put("qualifier", text));
        return ending.request(body);
    }
}
