package dev.loopkeeper.agent;

import static dev.loopkeeper.agent.JsonFields.amount;
import static dev.loopkeeper.agent.JsonFields.count;
import static dev.loopkeeper.agent.JsonFields.scalar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.SaidLine.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Translates Claude Code's json and stream-json. */
final class ClaudeCodeWords implements JsonLines.Words {
    private boolean spoke;

    /** The time of a tool result; older versions print none. */
    @Override
    public Optional<Instant> at(JsonNode event) {
        return JsonFields.time(event, "timestamp");
    }

    @Override
    public void translate(JsonNode event, JsonLines.Sink sink) {
        switch (event.path("type").asText()) {
            case "assistant" -> assistant(event.path("message").path("content"), sink);
            case "user" -> results(event.path("message").path("content"), sink);
            case "system" -> system(event, sink);
            case "result" -> result(event, sink);
            default -> {
                // Ignores partial messages, progress and event types of newer versions.
            }
        }
    }

    private void assistant(JsonNode content, JsonLines.Sink sink) {
        for (JsonNode block : content) {
            String type = block.path("type").asText();
            if (type.equals("text")) {
                spoke = true;
                sink.accept(Kind.SAYS, block.path("text").asText());
            } else if (type.endsWith("tool_use")) {
                sink.accept(Kind.TOOL, ToolCall.of(block.path("name").asText("tool"), block.path("input")));
            }
        }
    }

    private static void results(JsonNode content, JsonLines.Sink sink) {
        for (JsonNode block : content) {
            if (block.path("type").asText().equals("tool_result")) {
                boolean failed = block.path("is_error").asBoolean();
                sink.accept(Kind.RESULT, (failed ? "failed: " : "") + JsonFields.words(block.path("content")));
            }
        }
    }

    private static void system(JsonNode event, JsonLines.Sink sink) {
        if (event.path("subtype").asText().equals("api_retry")) {
            List<String> cause = new ArrayList<>();
            scalar(event, "error_status").ifPresent(cause::add);
            scalar(event, "error").ifPresent(cause::add);
            sink.accept(
                    Kind.ERROR,
                    "retries its request, " + event.path("attempt").asText("?") + " of "
                            + event.path("max_retries").asText("?") + ": " + String.join(" ", cause));
        }
    }

    private void result(JsonNode event, JsonLines.Sink sink) {
        boolean failed = event.path("is_error").asBoolean()
                || !event.path("subtype").asText("success").equals("success");
        String words = scalar(event, "result").orElseGet(() -> JsonFields.words(event.path("errors")));
        if (failed) {
            sink.accept(Kind.ERROR, words.isBlank() ? event.path("subtype").asText() : words);
        } else if (!spoke) {
            sink.accept(Kind.SAYS, words);
        }
        JsonNode usage = event.path("usage");
        sink.accept(
                Kind.USAGE,
                UsageWords.of(
                        count(event, "num_turns"),
                        count(usage, "input_tokens"),
                        count(usage, "output_tokens"),
                        amount(event, "total_cost_usd")));
    }
}
