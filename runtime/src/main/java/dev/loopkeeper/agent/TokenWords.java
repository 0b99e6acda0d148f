package dev.loopkeeper.agent;

import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds an agent's reported usage in plain text: {@code total tokens: 1234}, {@code tokens used: 1,234} or {@code
 * usage: 1234 tokens}. Counts all of it as input, since such text does not separate input from output.
 */
final class TokenWords {
    private static final String NUMBER = "(\\d{1,3}(?:,\\d{3}){1,5}+|\\d{1,15}+)";
    private static final String END = "(?![\\w,]|\\.\\d)";
    private static final Pattern WORDS = Pattern.compile(
            "(?<![\\w-])(?:(?:total tokens|tokens used)\\s{0,2}[:=]\\s{0,3}" + NUMBER + END + "|tokens used\\R" + NUMBER
                    + "$" + "|usage\\s{0,2}[:=]\\s{0,3}" + NUMBER + " tokens\\b)",
            Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private TokenWords() {}

    /** The last number in the text, since the numbers are totals. */
    static Usage find(String text) {
        OptionalLong last = OptionalLong.empty();
        Matcher matcher = WORDS.matcher(text);
        while (matcher.find()) {
            last = OptionalLong.of(number(matcher));
        }
        return last.isEmpty()
                ? Usage.UNKNOWN
                : new Usage(OptionalDouble.empty(), last, OptionalLong.empty(), OptionalLong.empty());
    }

    private static long number(Matcher matcher) {
        String digits = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return Long.parseLong((digits == null ? matcher.group(3) : digits).replace(",", ""));
    }
}
