package dev.loopkeeper.agent;

import static dev.loopkeeper.agent.JsonFields.amount;
import static dev.loopkeeper.agent.JsonFields.count;
import static dev.loopkeeper.agent.JsonFields.scalar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.SaidLine.Kind;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Translates opencode's run --format json. */
final class OpenCodeWords implements JsonLines.Words {
    @Override
    public Optional<Instant> at(JsonNode event) {
        JsonNode at = event.path("timestamp");
        return at.canConvertToLong() && at.isNumber()
                ? Optional.of(Instant.ofEpochMilli(at.longValue()))
                : Optional.empty();
    }

    @Override
    public void translate(JsonNode event, JsonLines.Sink sink) {
        JsonNode part = event.path("part");
        switch (event.path("type").asText()) {
            case "text" -> sink.accept(Kind.SAYS, part.path("text").asText());
            case "tool_use" -> tool(part, sink);
            case "step_finish" ->
                sink.accept(
                        Kind.USAGE,
                        UsageWords.of(
                                OptionalLong.empty(),
                                count(part.path("tokens"), "input"),
                                count(part.path("tokens"), "output"),
                                amount(part, "cost")));
            case "error" -> error(event.path("error"), sink);
            default -> {
                // Ignores starts, reasoning and event types of newer versions.
            }
        }
    }

    private static void tool(JsonNode part, JsonLines.Sink sink) {
        JsonNode state = part.path("state");
        sink.accept(Kind.TOOL, ToolCall.of(part.path("tool").asText("tool"), state.path("input")));
        boolean failed = state.path("status").asText().equals("error");
        sink.accept(
                Kind.RESULT,
                failed
                        ? "failed: " + state.path("error").asText()
                        : scalar(state, "output")
                                .or(() -> scalar(state, "title"))
                                .orElse(""));
    }

    private static void error(JsonNode error, JsonLines.Sink sink) {
        String message = scalar(error.path("data"), "message")
                .or(() -> scalar(error, "message"))
                .orElse("");
        String name = error.path("name").asText("error");
        sink.accept(Kind.ERROR, message.isEmpty() ? name : name + ": " + message);
    }
}
