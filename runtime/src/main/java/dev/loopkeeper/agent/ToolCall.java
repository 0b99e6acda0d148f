package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** Formats a tool call in a few words, e.g. {@code Bash: make test}. */
final class ToolCall {
    /** The most important inputs of the usual tools; the first one present is shown. */
    private static final List<String> IMPORTANT = List.of(
            "command",
            "cmd",
            "file_path",
            "filePath",
            "path",
            "absolute_path",
            "notebook_path",
            "pattern",
            "query",
            "url",
            "description",
            "prompt",
            "skill",
            "name");

    private ToolCall() {}

    /** The name of the tool and its input. */
    static String of(String name, JsonNode input) {
        String given = IMPORTANT.stream()
                .map(input::path)
                .map(ToolCall::text)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> input.isEmpty() ? "" : input.toString());
        return given.isEmpty() ? name : name + ": " + given;
    }

    private static Optional<String> text(JsonNode value) {
        if (value.isArray() && !value.isEmpty() && value.get(0).isTextual()) {
            StringBuilder words = new StringBuilder();
            value.forEach(part -> words.append(words.length() == 0 ? "" : " ").append(part.asText()));
            return Optional.of(words.toString());
        }
        return value.isTextual() && !value.textValue().isBlank() ? Optional.of(value.textValue()) : Optional.empty();
    }
}
