package dev.loopkeeper.manifest;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with names between double braces, e.g. {@code Fix {{item.id}}}. A name that has no value gives empty text;
 * braces around anything but a name, such as code in a prompt, stay as they are; a backslash before
 * two braces makes them such. Values are never rendered again.
 *
 * @param text as written
 */
public record PromptTemplate(String text) {
    /** A name, or braces that are meant as such. */
    static final Pattern NAME =
            Pattern.compile("\\\\\\{\\{|\\{\\{[ \\t]*+([A-Za-z0-9_][A-Za-z0-9_.-]*+)[ \\t]*+\\}\\}");

    /**
     * The text with values in place of names.
     *
     * @param values by full name, see {@link TemplateNames}
     */
    public String render(Map<String, String> values) {
        return NAME.matcher(text).replaceAll(match -> valueOf(match, values));
    }

    private static String valueOf(MatchResult match, Map<String, String> values) {
        String value = match.group(1) == null ? "{{" : values.getOrDefault(match.group(1), "");
        return Matcher.quoteReplacement(value);
    }
}
