package dev.loopkeeper.agent;

import static dev.loopkeeper.agent.JsonFields.scalar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.SaidLine.Kind;

/** Translates Codex's exec --json. */
final class CodexWords implements JsonLines.Words {
    @Override
    public void translate(JsonNode event, JsonLines.Sink sink) {
        switch (event.path("type").asText()) {
            case "item.started" -> started(event.path("item"), sink);
            case "item.completed" -> completed(event.path("item"), sink);
            case "turn.completed" -> sink.accept(Kind.USAGE, UsageWords.of(event.path("usage")));
            case "turn.failed" ->
                sink.accept(Kind.ERROR, event.path("error").path("message").asText("the turn failed"));
            case "error" -> sink.accept(Kind.ERROR, event.path("message").asText(""));
            default -> {
                // Ignores threads, turns and event types of newer versions.
            }
        }
    }

    private static void started(JsonNode item, JsonLines.Sink sink) {
        switch (item.path("type").asText()) {
            case "command_execution" ->
                sink.accept(Kind.TOOL, "shell: " + item.path("command").asText());
            case "mcp_tool_call" ->
                sink.accept(
                        Kind.TOOL,
                        ToolCall.of(
                                item.path("server").asText() + "."
                                        + item.path("tool").asText(),
                                item.path("arguments")));
            default -> {
                // Reported when it is complete.
            }
        }
    }

    private static void completed(JsonNode item, JsonLines.Sink sink) {
        switch (item.path("type").asText()) {
            case "agent_message" -> sink.accept(Kind.SAYS, item.path("text").asText());
            case "command_execution" -> sink.accept(Kind.RESULT, result(item));
            case "file_change" ->
                item.path("changes")
                        .forEach(change -> sink.accept(
                                Kind.TOOL,
                                change.path("kind").asText("change") + ": "
                                        + change.path("path").asText()));
            case "web_search" ->
                sink.accept(Kind.TOOL, "web search: " + item.path("query").asText());
            case "error" -> sink.accept(Kind.ERROR, item.path("message").asText());
            default -> {
                // Ignores reasoning, lists and item types of newer versions.
            }
        }
    }

    private static String result(JsonNode item) {
        String output = item.path("aggregated_output").asText("");
        int code = item.path("exit_code").asInt(0);
        if (code == 0) {
            return output.isBlank() ? scalar(item, "status").orElse("") : output;
        }
        return "exit " + code + (output.isBlank() ? "" : ": " + output.strip());
    }
}
