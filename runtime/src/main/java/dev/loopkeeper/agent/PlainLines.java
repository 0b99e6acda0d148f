package dev.loopkeeper.agent;

import java.util.function.Consumer;

/** Passes plain text on unchanged. */
final class PlainLines implements Translator {
    @Override
    public void line(long offset, String raw, Consumer<SaidLine> lines) {
        lines.accept(SaidLine.says(offset, raw));
    }
}
