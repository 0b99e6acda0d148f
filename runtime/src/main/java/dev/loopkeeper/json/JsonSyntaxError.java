package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes a syntax error in JSON or YAML for the person who wrote the text, without the parser's internals. */
public final class JsonSyntaxError {
    private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*?)'.*");
    /** Parser internals in a message: the source excerpt, and the setting that decided. */
    private static final Pattern OF_THE_PARSER = Pattern.compile(
            " \\([^(]*\\[Source:.*| \\(bound as [^)]*\\)|, from `[^`]*`|: not allowed .*|: enable `.*", Pattern.DOTALL);

    private JsonSyntaxError() {}

    /** One line, without the position. */
    public static String of(JacksonException malformed) {
        String words = malformed.getOriginalMessage();
        if (malformed instanceof MismatchedInputException && words.startsWith("Trailing token")) {
            return "text follows after the end of the first value";
        }
        if (malformed instanceof StreamConstraintsException && words.contains("nesting depth")) {
            return "nested deeper than " + Json.MAX_DEPTH + " levels";
        }
        Matcher twice = TWICE.matcher(words);
        if (words.startsWith("Unexpected end-of-input")) {
            return "the text is incomplete";
        }
        if (twice.lookingAt()) {
            return "the field '" + twice.group(1) + "' occurs twice";
        }
        return OF_THE_PARSER.matcher(words).replaceAll("").lines().findFirst().orElse("the text cannot be read");
    }
}
