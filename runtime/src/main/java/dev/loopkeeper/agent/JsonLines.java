package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.EscapeSequences;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.RecordInLine;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Translates a JSON object per line by a dialect; any other line is plain text of the agent. */
record JsonLines(Words words) implements Translator {
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

    /** Longest first or last line of an output in characters; both fit into one line. */
    private static final int LONGEST_END = 200;

    @Override
    public void line(long offset, String raw, Consumer<SaidLine> lines) {
        String plain = EscapeSequences.removed(raw);
        Optional<JsonNode> event = plain.startsWith("{")
                ? JsonFields.object(plain)
                : RecordInLine.find(plain, text -> JsonFields.object(text).filter(record -> record.has("type")));
        if (event.isEmpty()) {
            lines.accept(SaidLine.says(offset, raw));
            return;
        }
        Optional<Instant> at = words.at(event.get());
        words.translate(event.get(), (kind, text) -> each(offset, at, kind, text, lines));
    }

    @Override
    public void finish(long offset, Consumer<SaidLine> lines) {
        words.finish((kind, text) -> each(offset, Optional.empty(), kind, text, lines));
    }

    /** Text of the agent keeps its lines; everything else becomes one line, and a tool's result keeps its output. */
    private static void each(
            long offset, Optional<Instant> at, SaidLine.Kind kind, String text, Consumer<SaidLine> lines) {
        if (kind == SaidLine.Kind.SAYS) {
            text.lines().forEach(line -> lines.accept(new SaidLine(offset, at, kind, line, Optional.empty())));
            return;
        }
        String[] all = text.strip().split("\\R", 0);
        boolean output = kind == SaidLine.Kind.RESULT && all.length > 1;
        lines.accept(new SaidLine(
                offset,
                at,
                kind,
                output ? firstAndLast(all) : firstLine(all),
                output
                        ? Optional.of(BoundedText.end(EscapeSequences.removed(text.strip()), SaidLines.LONGEST_OUTPUT))
                        : Optional.empty()));
    }

    /** The first line with content; for a longer text, it states the number of further lines. */
    private static String firstLine(String... lines) {
        return lines.length <= 1 ? lines[0].strip() : lines[0].strip() + " (+" + (lines.length - 1) + " lines)";
    }

    /** The first and the last line: the last line of a test's output says how the test ended. */
    private static String firstAndLast(String... lines) {
        String between = lines.length > 2 ? " (+" + (lines.length - 2) + " lines) " : " / ";
        return OneLine.of(lines[0], LONGEST_END) + between + OneLine.of(lines[lines.length - 1], LONGEST_END);
    }
}
