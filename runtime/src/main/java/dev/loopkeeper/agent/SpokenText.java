package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.OutputDialect;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks for a text in what the main agent says: its own messages and its final result, decoded. Not in tools and their
 * results, thinking, subagents, or a prompt that is printed again. Memory is bounded; not thread-safe.
 */
public final class SpokenText {
    private final String wanted;
    private final JsonEvents events;
    /** The end of a message that comes in pieces, as long as the text may begin in it. */
    private String held = "";

    private boolean found;

    /** @param dialect any but plain text, where every byte is said */
    public SpokenText(OutputDialect dialect, String wanted) {
        this.wanted = wanted;
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
        WantedFields wanted = WantedFields.of(fields).with("type", WantedFields.WHOLE);
        return new JsonEvents(wanted, types, reader, new Tail(0));
    }

    /** The next bytes of standard output. */
    public void stdout(byte[] chunk, int offset, int length) {
        if (!found) {
            events.feed(chunk, offset, length);
        }
    }

    /** Whether the text was said. Called once, after the last bytes. */
    public boolean finish() {
        if (!found) {
            events.finish();
        }
        return found;
    }

    private void says(String text) {
        found |= text.contains(wanted);
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

    /** Its messages come in pieces; whatever comes between them ends one. */
    private void gemini(ObjectNode event) {
        boolean piece = event.path("type").asText().equals("message")
                && event.path("role").asText().equals("assistant");
        if (piece) {
            String text = held + event.path("content").asText();
            says(text);
            held = text.substring(Math.max(0, text.length() - wanted.length() + 1));
        } else {
            held = "";
            says(event.path("response").asText());
        }
    }
}
