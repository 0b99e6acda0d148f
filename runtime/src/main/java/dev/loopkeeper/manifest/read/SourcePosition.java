package dev.loopkeeper.manifest.read;

import java.util.Optional;

/**
 * Where something was written.
 *
 * @param source what holds it when it is not the text of the manifest itself: the absolute path of a file that the
 *     manifest names, or an option such as {@code --set budget.costUsd}
 * @param mark absent when it stands in no text
 */
public record SourcePosition(Optional<String> source, Optional<Mark> mark) {
    /** Of what was given as a tree, or in a way that has no name. */
    public static final SourcePosition UNKNOWN = new SourcePosition(Optional.empty(), Optional.empty());

    /** A character of a text; line and column are counted from 1, the column in Unicode characters. */
    public record Mark(int line, int column) {}

    /** Of a value that an option holds. */
    public static SourcePosition ofOption(String option) {
        return new SourcePosition(Optional.of(option), Optional.empty());
    }

    /** E.g. {@code demo.yaml:12:5}, with the name of the manifest where nothing else holds it; empty when unknown. */
    String text(String manifest) {
        if (mark.isEmpty()) {
            return source.orElse("");
        }
        return source.orElse(manifest) + ":" + mark.get().line() + ":"
                + mark.get().column();
    }
}
