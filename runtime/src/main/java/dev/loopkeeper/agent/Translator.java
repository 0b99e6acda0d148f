package dev.loopkeeper.agent;

import java.util.function.Consumer;

/** Translates raw lines to readable lines. */
interface Translator {
    /** Passes plain text on unchanged. */
    Translator PLAIN = (offset, raw, lines) -> lines.accept(SaidLine.says(offset, raw));

    /** Translates a non-blank raw line. */
    void line(long offset, String raw, Consumer<SaidLine> lines);

    /** Emits text that was held back. */
    default void finish(long offset, Consumer<SaidLine> lines) {}
}
