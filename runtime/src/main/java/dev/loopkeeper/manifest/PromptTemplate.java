package dev.loopkeeper.manifest;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with names between double braces, e.g. {@code Fix {{item.id}}}. A name that has no value gives empty text;
 * braces around anything but a name, such as code in a prompt, stay as they are. Values are never rendered again.
 *
 * @param text as written
 */
public record PromptTemplate(String text) {
    private static final Pattern NAME = Pattern.compile("\\{\\{[ \\t]*+([A-Za-z0-9_][A-Za-z0-9_.-]*+)[ \\t]*+\\}\\}");

    /**
     * The text with values in place of names.
     *
     * @param values by full name: {@code iteration}, {@code feedback}, {@code item.id}, {@code item.vars.x},
     *     {@code vars.x}, {@code signalFile}, {@code runId}, {@code phase}, {@code attempt}, {@code stepId}, {@code name}
     */
    public String render(Map<String, String> values) {
        return NAME.matcher(text).replaceAll(match -> valueOf(match, values));
    }

    private static String valueOf(MatchResult match, Map<String, String> values) {
        return Matcher.quoteReplacement(values.getOrDefault(match.group(1), ""));
    }
}
