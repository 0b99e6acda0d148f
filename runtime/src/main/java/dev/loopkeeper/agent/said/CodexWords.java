package dev.loopkeeper.agent.said;

import static dev.loopkeeper.agent.said.Values.count;
import static dev.loopkeeper.agent.said.Values.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.said.SaidLine.Kind;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Codex's exec --json. */
final class CodexWords implements JsonLines.Words {
    @Override
    public void tell(JsonNode event, JsonLines.Teller teller) {
        switch (event.path("type").asText()) {
            case "item.started" -> started(event.path("item"), teller);
            case "item.completed" -> completed(event.path("item"), teller);
            case "turn.completed" -> usage(event.path("usage"), teller);
            case "turn.failed" ->
                teller.tell(Kind.ERROR, event.path("error").path("message").asText("the turn failed"));
            case "error" -> teller.tell(Kind.ERROR, event.path("message").asText(""));
            default -> {
                // Threads, turns and whatever newer versions add.
            }
        }
    }

    private static void started(JsonNode item, JsonLines.Teller teller) {
        switch (item.path("type").asText()) {
            case "command_execution" ->
                teller.tell(Kind.TOOL, "shell: " + item.path("command").asText());
            case "mcp_tool_call" ->
                teller.tell(
                        Kind.TOOL,
                        ToolCall.of(
                                item.path("server").asText() + "."
                                        + item.path("tool").asText(),
                                item.path("arguments")));
            default -> {
                // Told when it is complete.
            }
        }
    }

    private static void completed(JsonNode item, JsonLines.Teller teller) {
        switch (item.path("type").asText()) {
            case "agent_message" -> teller.tell(Kind.SAYS, item.path("text").asText());
            case "command_execution" -> teller.tell(Kind.RESULT, result(item));
            case "file_change" ->
                item.path("changes")
                        .forEach(change -> teller.tell(
                                Kind.TOOL,
                                change.path("kind").asText("change") + ": "
                                        + change.path("path").asText()));
            case "web_search" ->
                teller.tell(Kind.TOOL, "web search: " + item.path("query").asText());
            case "error" -> teller.tell(Kind.ERROR, item.path("message").asText());
            default -> {
                // Reasoning, lists and whatever newer versions add.
            }
        }
    }

    private static String result(JsonNode item) {
        String output = item.path("aggregated_output").asText("");
        int code = item.path("exit_code").asInt(0);
        if (code == 0) {
            return output.isBlank() ? text(item, "status").orElse("") : output;
        }
        return "exit " + code + (output.isBlank() ? "" : ": " + output.strip());
    }

    private static void usage(JsonNode usage, JsonLines.Teller teller) {
        teller.tell(
                Kind.USAGE,
                UsageWords.of(
                        OptionalLong.empty(),
                        count(usage, "input_tokens"),
                        count(usage, "output_tokens"),
                        OptionalDouble.empty()));
    }
}
