package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /** A pause is one line. */
    private static final int MOST_TOLD = 3;

    /**
     * The text with values in place of names.
     *
     * @param values by full name, see {@link TemplateNames}
     */
    public String render(Map<String, String> values) {
        return NAME.matcher(text).replaceAll(match -> valueOf(match, values));
    }

    /**
     * The same for a prompt. Throws {@link IllegalArgumentException} with line and remedy where it holds a name that has
     * no value: an agent would work with a hole in what it is told.
     */
    public String fill(Map<String, String> values) {
        List<TemplateNames.Unknown> unknown = TemplateNames.unknown(text, values.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    unknown.stream().limit(MOST_TOLD).map(PromptTemplate::flaw).collect(Collectors.joining(", "))
                            + "; correct it and resume the run; braces that are no name are written \\{{");
        }
        return render(values);
    }

    private static String flaw(TemplateNames.Unknown unknown) {
        return "line " + unknown.line() + ": there is no name {{" + unknown.name() + "}}"
                + unknown.nearest()
                        .map(near -> " (did you mean {{" + near + "}}?)")
                        .orElse("");
    }

    private static String valueOf(MatchResult match, Map<String, String> values) {
        String value = match.group(1) == null ? "{{" : values.getOrDefault(match.group(1), "");
        return Matcher.quoteReplacement(value);
    }
}
