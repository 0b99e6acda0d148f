package dev.loopkeeper.agent;

import java.util.function.Consumer;

/** Translates raw lines to readable lines. */
interface Translator {
    /** Translates a non-blank raw line. */
    void line(long offset, String raw, Consumer<SaidLine> lines);

    /** Emits text that was held back. */
    default void finish(long offset, Consumer<SaidLine> lines) {}
}
