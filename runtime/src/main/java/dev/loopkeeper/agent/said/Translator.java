package dev.loopkeeper.agent.said;

import java.util.function.Consumer;

/** Makes readable lines of one raw line after the other. */
interface Translator {
    /** A raw line that is not blank. */
    void line(long offset, String raw, Consumer<SaidLine> lines);

    /** There is nothing more for now; what was held back is told. */
    default void finish(long offset, Consumer<SaidLine> lines) {}
}
