package dev.loopkeeper.agent;

import static dev.loopkeeper.agent.JsonFields.scalar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.SaidLine.Kind;
import java.time.Instant;
import java.util.Optional;

/** Translates Gemini CLI's stream-json. Joins the parts of its messages to lines. */
final class GeminiWords implements JsonLines.Words {
    private static final int MOST_HELD = 8 * SaidLines.LONGEST;

    private final StringBuilder held = new StringBuilder();

    @Override
    public Optional<Instant> at(JsonNode event) {
        return JsonFields.time(event, "timestamp");
    }

    @Override
    public void translate(JsonNode event, JsonLines.Sink sink) {
        String type = event.path("type").asText();
        if (type.equals("message")) {
            message(event, sink);
            return;
        }
        finish(sink);
        switch (type) {
            case "tool_use" ->
                sink.accept(Kind.TOOL, ToolCall.of(event.path("tool_name").asText("tool"), event.path("parameters")));
            case "tool_result" -> {
                boolean failed = event.path("status").asText().equals("error");
                sink.accept(
                        Kind.RESULT,
                        failed
                                ? "failed: "
                                        + event.path("error").path("message").asText()
                                : JsonFields.words(event.path("output")));
            }
            case "error" -> sink.accept(Kind.ERROR, event.path("message").asText());
            case "result" -> result(event, sink);
            default -> document(event, sink);
        }
    }

    @Override
    public void finish(JsonLines.Sink sink) {
        if (held.length() > 0) {
            sink.accept(Kind.SAYS, held.toString());
            held.setLength(0);
        }
    }

    private void message(JsonNode event, JsonLines.Sink sink) {
        if (!event.path("role").asText("assistant").equals("assistant")) {
            return;
        }
        held.append(event.path("content").asText());
        int end = held.lastIndexOf("\n");
        boolean complete = !event.path("delta").asBoolean() || held.length() > MOST_HELD;
        if (complete) {
            finish(sink);
        } else if (end >= 0) {
            sink.accept(Kind.SAYS, held.substring(0, end));
            held.delete(0, end + 1);
        }
    }

    private static void result(JsonNode event, JsonLines.Sink sink) {
        if (event.path("error").isObject()) {
            sink.accept(Kind.ERROR, event.path("error").path("message").asText());
        }
        sink.accept(Kind.USAGE, UsageWords.of(event.path("stats")));
    }

    /** The one object of its json output. */
    private static void document(JsonNode event, JsonLines.Sink sink) {
        scalar(event, "response").ifPresent(words -> sink.accept(Kind.SAYS, words));
        if (event.path("error").isObject()) {
            sink.accept(Kind.ERROR, event.path("error").path("message").asText());
        }
    }
}
