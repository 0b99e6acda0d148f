package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.OutputDialect;
import java.util.Set;
import java.util.function.BiConsumer;

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
     * How to find the words of the main agent in its events.
     *
     * @param types of the events that are read
     * @param fields of an event that are read, beside its type
     * @param reader passes the words of an event on
     */
    record Speech(Set<String> types, WantedFields fields, BiConsumer<ObjectNode, SpokenText> reader) {}

    /**
     * @param dialect any but plain text, where every byte is output
     */
    public SpokenText(OutputDialect dialect, String searched) {
        this.searched = searched;
        Speech speech = AgentOutput.structured(dialect).speech;
        this.events = new JsonEvents(
                speech.fields().with("type", WantedFields.WHOLE),
                speech.types(),
                event -> speech.reader().accept(event, this),
                new Tail(0));
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

    /** A complete message, or the next one where messages arrive in parts. */
    void says(String text) {
        held = "";
        found |= text.contains(searched);
    }

    /** The next part of a message. */
    void saysPart(String part) {
        String text = held + part;
        found |= text.contains(searched);
        held = text.substring(Math.max(0, text.length() - searched.length() + 1));
    }
}
