package dev.loopkeeper.manifest.read;

import java.util.Optional;

/**
 * A source position.
 *
 * @param source the origin when it is not the manifest itself: the absolute path of a file that the manifest names, or
 * an option such as {@code --set budget.costUsd}
 * @param mark absent when the origin is not a text
 */
public record SourcePosition(Optional<String> source, Optional<Mark> mark) {
    /** The position of values without a text or a named origin. */
    public static final SourcePosition UNKNOWN = new SourcePosition(Optional.empty(), Optional.empty());

    /** A position in a text; line and column start at 1, the column counts Unicode characters. */
    public record Mark(int line, int column) {}

    /** The position of a value given by an option. */
    public static SourcePosition ofOption(String option) {
        return new SourcePosition(Optional.of(option), Optional.empty());
    }

    /** E.g. {@code demo.yaml:12:5}, with the manifest's name unless another source is known; empty when unknown. */
    String text(String manifest) {
        if (mark.isEmpty()) {
            return source.orElse("");
        }
        return source.orElse(manifest) + ":" + mark.get().line() + ":"
                + mark.get().column();
    }
}
