package dev.loopkeeper.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.RecordInLine;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Translates a JSON object per line by a dialect; any other line is plain text of the agent. */
final class JsonLines implements Translator {
    /** Translates the objects of an agent. */
    interface Words {
        /** Translates an object. */
        void translate(JsonNode event, Sink sink);

        /** The time of the object, if it has one. */
        default Optional<Instant> at(JsonNode event) {
            return Optional.empty();
        }

        /** Emits text that was held back. */
        default void finish(Sink sink) {}
    }

    /** Receives the translated text. */
    interface Sink {
        void accept(SaidLine.Kind kind, String text);
    }

    private final Words words;

    JsonLines(Words words) {
        this.words = words;
    }

    @Override
    public void line(long offset, String raw, Consumer<SaidLine> lines) {
        String plain = EscapeSequences.removed(raw);
        Optional<JsonNode> event = plain.startsWith("{")
                ? parsed(plain)
                : RecordInLine.find(plain, text -> parsed(text).filter(record -> record.has("type")));
        if (event.isEmpty()) {
            lines.accept(new SaidLine(offset, Optional.empty(), SaidLine.Kind.SAYS, raw));
            return;
        }
        Optional<Instant> at = words.at(event.get());
        words.translate(event.get(), (kind, text) -> each(offset, at, kind, text, lines));
    }

    @Override
    public void finish(long offset, Consumer<SaidLine> lines) {
        words.finish((kind, text) -> each(offset, Optional.empty(), kind, text, lines));
    }

    /** Text of the agent keeps its lines; everything else becomes one line. */
    private static void each(
            long offset, Optional<Instant> at, SaidLine.Kind kind, String text, Consumer<SaidLine> lines) {
        if (kind == SaidLine.Kind.SAYS) {
            text.lines().forEach(line -> lines.accept(new SaidLine(offset, at, kind, line)));
        } else {
            lines.accept(new SaidLine(offset, at, kind, firstLine(text)));
        }
    }

    /** The first line with content; for a longer text, it states the number of further lines. */
    private static String firstLine(String text) {
        String[] lines = text.strip().split("\\R", 0);
        return lines.length <= 1 ? text.strip() : lines[0].strip() + " (+" + (lines.length - 1) + " lines)";
    }

    private static Optional<JsonNode> parsed(String raw) {
        try {
            return Optional.of(Json.MAPPER.readTree(raw)).filter(JsonNode::isObject);
        } catch (JsonProcessingException plainText) {
            return Optional.empty();
        }
    }
}
