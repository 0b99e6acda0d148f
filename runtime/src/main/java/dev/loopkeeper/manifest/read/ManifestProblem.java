package dev.loopkeeper.manifest.read;

import java.util.Optional;

/**
 * One thing wrong with a manifest.
 *
 * @param path where, in dots and brackets, e.g. {@code phases[1].loop.steps[0]}; empty for the whole document
 * @param message what is wrong and what would be right, one sentence
 * @param suggestion the nearest known key or value, if there is one near
 */
public record ManifestProblem(String path, String message, Optional<String> suggestion) {
    /** A problem with nothing near to suggest. */
    public static ManifestProblem at(String path, String message) {
        return new ManifestProblem(path, message, Optional.empty());
    }

    /** One line, e.g. {@code phases[0].loop.step: unknown key (did you mean steps?)}; no path in front when empty. */
    public String text() {
        String where = path.isEmpty() ? "" : path + ": ";
        return where
                + message
                + suggestion.map(near -> " (did you mean " + near + "?)").orElse("");
    }
}
