package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads Codex's exec --json: {@code turn.completed} or {@code turn.failed} of the last turn is the final record. A
 * top-level {@code error} may only announce a new connection. Input includes cached tokens; usage covers the thread;
 * there is no cost.
 */
final class Codex extends Dialect {
    Codex() {
        super(
                WantedFields.of("type", "thread_id", "usage", "error", "message")
                        .with("item", WantedFields.of("type")),
                Set.of(
                        "thread.started",
                        "turn.started",
                        "turn.completed",
                        "turn.failed",
                        "error",
                        "item.started",
                        "item.updated",
                        "item.completed"),
                new SpokenText.Speech(Set.of("item.completed"), WantedFields.of("item"), Codex::said),
                CodexWords::new);
    }

    @Override
    void event(ObjectNode event) {
        switch (event.path("type").asText("")) {
            case "thread.started" ->
                sessionId = JsonFields.text(event, "thread_id").or(() -> sessionId);
            case "turn.started" -> started();
            case "turn.completed" -> completed(event.path("usage"));
            case "turn.failed" -> ending = Optional.of(FinalRecord.failed(error(event.path("error"))));
            case "error" -> failure(event);
            case "item.started", "item.updated", "item.completed" -> item(event.path("item"));
            default -> {
                // Ignores event types of newer versions.
            }
        }
    }

    /** Usage is that of the thread, so a continued thread includes earlier launches. */
    @Override
    Usage sessionTotals() {
        return new Usage(OptionalDouble.empty(), input, output, OptionalLong.empty());
    }

    private void failure(ObjectNode event) {
        failure = Optional.of(error(event));
        OwnRetryWords.codex(event.path("message").asText("")).ifPresent(retry -> retries = retries.plus(retry));
    }

    private void started() {
        turns = Usage.sum(turns, OptionalLong.of(1));
        ending = Optional.empty();
    }

    private void completed(JsonNode usage) {
        input = more(input, JsonFields.count(usage, "input_tokens"));
        output = more(output, JsonFields.count(usage, "output_tokens"));
        tokens = List.of(ModelTokens.within(
                Optional.empty(),
                input.orElse(0),
                JsonFields.count(usage, "cached_input_tokens").orElse(0),
                JsonFields.count(usage, "cache_write_input_tokens").orElse(0),
                output.orElse(0)));
        ending = Optional.of(FinalRecord.success());
        overcome();
    }

    /** An item of type error is a warning, any other is work. */
    private void item(JsonNode item) {
        if (!item.path("type").asText("").equals("error")) {
            overcome();
        }
    }

    /** Each turn reports the sum over all turns of its thread. */
    private static OptionalLong more(OptionalLong before, OptionalLong reported) {
        return reported.isPresent() && reported.getAsLong() >= before.orElse(0) ? reported : before;
    }

    private static StructuredError error(JsonNode error) {
        return StructuredError.text(JsonFields.text(error, "message").orElse(""))
                .withCode(JsonFields.text(error, "code"))
                .withHttpStatus(JsonFields.status(error, "status"));
    }

    private static void said(ObjectNode event, SpokenText text) {
        JsonNode item = event.path("item");
        if (item.path("type").asText().equals("agent_message")) {
            text.says(item.path("text").asText());
        }
    }
}
