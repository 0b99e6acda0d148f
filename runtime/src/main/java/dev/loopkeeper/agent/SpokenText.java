package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.OutputDialect;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Searches the main agent's decoded messages and its final result for a text. Ignores tools and their results,
 * thinking, subagents, and an echoed prompt. Memory is bounded; not thread-safe.
 */
public final class SpokenText {
    private final String searched;
    private final JsonEvents events;
    /** The end of a message in parts, as long as the text may begin in it. */
    private String held = "";

    private boolean found;

    /**
     * @param dialect any but plain text, where every byte is output
     */
    public SpokenText(OutputDialect dialect, String searched) {
        this.searched = searched;
        this.events = switch (dialect) {
            case TEXT -> throw new IllegalArgumentException("plain text has no events");
            case CLAUDE_CODE ->
                events(
                        this::claudeCode,
                        Set.of("assistant", "result"),
                        "subtype",
                        "is_error",
                        "result",
                        "parent_tool_use_id",
                        "message");
            case CODEX -> events(this::codex, Set.of("item.completed"), "item");
            case OPENCODE -> events(this::openCode, Set.of("text"), "part");
            case GEMINI ->
                events(
                        this::gemini,
                        Set.of("message", "tool_use", "tool_result", "result"),
                        "role",
                        "content",
                        "response");
        };
    }

    private static JsonEvents events(Consumer<ObjectNode> reader, Set<String> types, String... fields) {
        WantedFields fieldsOfInterest = WantedFields.of(fields).with("type", WantedFields.WHOLE);
        return new JsonEvents(fieldsOfInterest, types, reader, new Tail(0));
    }

    public void stdout(byte[] chunk, int offset, int length) {
        if (!found) {
            events.feed(chunk, offset, length);
        }
    }

    /** Whether the text occurred. Called once, after the last chunk. */
    public boolean finish() {
        if (!found) {
            events.finish();
        }
        return found;
    }

    private void says(String text) {
        found |= text.contains(searched);
    }

    private void claudeCode(ObjectNode event) {
        boolean result = event.path("type").asText().equals("result");
        if (result && !event.path("is_error").asBoolean()) {
            says(event.path("result").asText());
        } else if (!result && !event.hasNonNull("parent_tool_use_id")) {
            for (JsonNode block : event.path("message").path("content")) {
                if (block.path("type").asText().equals("text")) {
                    says(block.path("text").asText());
                }
            }
        }
    }

    private void codex(ObjectNode event) {
        JsonNode item = event.path("item");
        if (item.path("type").asText().equals("agent_message")) {
            says(item.path("text").asText());
        }
    }

    private void openCode(ObjectNode event) {
        says(event.path("part").path("text").asText());
    }

    /** Messages arrive in parts; any other event ends a message. */
    private void gemini(ObjectNode event) {
        boolean piece = event.path("type").asText().equals("message")
                && event.path("role").asText().equals("assistant");
        if (piece) {
            String text = held + event.path("content").asText();
            says(text);
            held = text.substring(Math.max(0, text.length() - searched.length() + 1));
        } else {
            held = "";
            says(event.path("response").asText());
        }
    }
}
