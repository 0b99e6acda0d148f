package dev.loopkeeper.agent;

import java.util.Optional;
import java.util.function.Consumer;

/** Passes plain text on unchanged. */
final class PlainLines implements Translator {
    @Override
    public void line(long offset, String raw, Consumer<SaidLine> lines) {
        lines.accept(new SaidLine(offset, Optional.empty(), SaidLine.Kind.SAYS, raw));
    }
}
