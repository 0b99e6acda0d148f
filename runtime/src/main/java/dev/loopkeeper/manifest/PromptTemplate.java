package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A text with names between double braces, e.g. {@code Fix {{item.id}}}. A name without a value renders as empty text.
 * Braces around anything but a name, such as code, stay unchanged. A backslash before two braces escapes them. Values
 * are never rendered again.
 *
 * @param text as written
 */
public record PromptTemplate(String text) {
    /** A name, or escaped braces. */
    static final Pattern NAME =
            Pattern.compile("\\\\\\{\\{|\\{\\{[ \\t]*+([A-Za-z0-9_][A-Za-z0-9_.-]*+)[ \\t]*+\\}\\}");

    /** Limits the message of a pause to one line. */
    private static final int MOST_LISTED = 3;

    /**
     * The text with values in place of names.
     *
     * @param values by full name, see {@link TemplateNames}
     */
    public String render(Map<String, String> values) {
        return NAME.matcher(text).replaceAll(match -> valueOf(match, values));
    }

    /**
     * Renders a prompt.
     *
     * @throws IllegalArgumentException with the line and the remedy when a name has no value
     */
    public String fill(Map<String, String> values) {
        List<TemplateNames.Unknown> unknown = TemplateNames.unknown(text, values.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(unknown.stream()
                            .limit(MOST_LISTED)
                            .map(PromptTemplate::problem)
                            .collect(Collectors.joining(", "))
                    + "; correct the template and resume the run; write \\{{ for literal braces");
        }
        return render(values);
    }

    private static String problem(TemplateNames.Unknown unknown) {
        return "line " + unknown.line() + ": unknown name {{" + unknown.name() + "}}"
                + unknown.nearest()
                        .map(near -> " (did you mean {{" + near + "}}?)")
                        .orElse("");
    }

    private static String valueOf(MatchResult match, Map<String, String> values) {
        String value = match.group(1) == null ? "{{" : values.getOrDefault(match.group(1), "");
        return Matcher.quoteReplacement(value);
    }
}
