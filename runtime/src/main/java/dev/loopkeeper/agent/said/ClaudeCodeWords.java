package dev.loopkeeper.agent.said;

import static dev.loopkeeper.agent.said.Values.amount;
import static dev.loopkeeper.agent.said.Values.count;
import static dev.loopkeeper.agent.said.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.said.SaidLine.Kind;
import java.util.ArrayList;
import java.util.List;

/** Claude Code's json and stream-json. */
final class ClaudeCodeWords implements JsonLines.Words {
    private boolean spoke;

    @Override
    public void tell(JsonNode event, JsonLines.Teller teller) {
        switch (event.path("type").asText()) {
            case "assistant" -> assistant(event.path("message").path("content"), teller);
            case "user" -> results(event.path("message").path("content"), teller);
            case "system" -> system(event, teller);
            case "result" -> result(event, teller);
            default -> {
                // Partial messages, progress and whatever newer versions add.
            }
        }
    }

    private void assistant(JsonNode content, JsonLines.Teller teller) {
        for (JsonNode block : content) {
            String type = block.path("type").asText();
            if (type.equals("text")) {
                spoke = true;
                teller.tell(Kind.SAYS, block.path("text").asText());
            } else if (type.endsWith("tool_use")) {
                teller.tell(Kind.TOOL, ToolCall.of(block.path("name").asText("tool"), block.path("input")));
            }
        }
    }

    private static void results(JsonNode content, JsonLines.Teller teller) {
        for (JsonNode block : content) {
            if (block.path("type").asText().equals("tool_result")) {
                boolean failed = block.path("is_error").asBoolean();
                teller.tell(Kind.RESULT, (failed ? "failed: " : "") + Values.words(block.path("content")));
            }
        }
    }

    private static void system(JsonNode event, JsonLines.Teller teller) {
        if (event.path("subtype").asText().equals("api_retry")) {
            List<String> cause = new ArrayList<>();
            text(event, "error_status").ifPresent(cause::add);
            text(event, "error").ifPresent(cause::add);
            teller.tell(
                    Kind.ERROR,
                    "tries again by itself, " + event.path("attempt").asText("?") + " of "
                            + event.path("max_retries").asText("?") + ": " + String.join(" ", cause));
        }
    }

    private void result(JsonNode event, JsonLines.Teller teller) {
        boolean failed = event.path("is_error").asBoolean()
                || !event.path("subtype").asText("success").equals("success");
        String words = text(event, "result").orElseGet(() -> Values.words(event.path("errors")));
        if (failed) {
            teller.tell(Kind.ERROR, words.isBlank() ? event.path("subtype").asText() : words);
        } else if (!spoke) {
            teller.tell(Kind.SAYS, words);
        }
        JsonNode usage = event.path("usage");
        teller.tell(
                Kind.USAGE,
                UsageWords.of(
                        count(event, "num_turns"),
                        count(usage, "input_tokens"),
                        count(usage, "output_tokens"),
                        amount(event, "total_cost_usd")));
    }
}
