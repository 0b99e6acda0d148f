package dev.loopkeeper.agent.said;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.RecordInLine;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** One JSON object a line, in the words of a dialect; what is no such object is the agent's plain text. */
final class JsonLines implements Translator {
    /** What the objects of one agent mean. */
    interface Words {
        /** One object. */
        void tell(JsonNode event, Teller teller);

        /** When it was, if the object says so. */
        default Optional<Instant> at(JsonNode event) {
            return Optional.empty();
        }

        /** What was held back. */
        default void finish(Teller teller) {}
    }

    /** Takes what is to be told. */
    interface Teller {
        void tell(SaidLine.Kind kind, String text);
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
        words.tell(event.get(), (kind, text) -> each(offset, at, kind, text, lines));
    }

    @Override
    public void finish(long offset, Consumer<SaidLine> lines) {
        words.finish((kind, text) -> each(offset, Optional.empty(), kind, text, lines));
    }

    /** Words of several lines stay several lines; everything else is one. */
    private static void each(
            long offset, Optional<Instant> at, SaidLine.Kind kind, String text, Consumer<SaidLine> lines) {
        if (kind == SaidLine.Kind.SAYS) {
            text.lines().forEach(line -> lines.accept(new SaidLine(offset, at, kind, line)));
        } else {
            lines.accept(new SaidLine(offset, at, kind, firstLine(text)));
        }
    }

    /** The first line that says anything; of a longer text it tells how many lines follow. */
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
