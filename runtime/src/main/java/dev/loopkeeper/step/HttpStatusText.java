package dev.loopkeeper.step;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds an HTTP error status in a text: a whole number beside a word that makes it one, never a part of another. */
final class HttpStatusText {
    private static final String NUMBER = "([45]\\d\\d)\\b(?![.,]\\d)";
    private static final String WORD = "\\b(?:https?(?:/[\\d.]{1,3})?(?:[ _-](?:status|error|code|response)){0,2}"
            + "|status(?:[ _-]?code)?|(?:response|error)[ _-]code|api[ _-]error)";
    private static final Pattern AFTER_WORD =
            Pattern.compile(WORD + "[\"')]{0,2}\\s{0,2}[:=]?\\s{0,2}[\"'(]?" + NUMBER, Pattern.CASE_INSENSITIVE);
    private static final Pattern BEFORE_REASON = Pattern.compile(
            "(?<![\\w.,])([45]\\d\\d)[ :-]{1,3}(?:bad request|unauthorized|payment required|forbidden|not found"
                    + "|request time-?out|(?:payload|content) too large|too many requests|internal server error"
                    + "|bad gateway|service unavailable|gateway time-?out)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern BEFORE_BODY =
            Pattern.compile("(?:^|\\berror: ?)([45]\\d\\d) \\{\"", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private HttpStatusText() {}

    static OptionalInt find(String text) {
        for (Pattern pattern : new Pattern[] {AFTER_WORD, BEFORE_REASON, BEFORE_BODY}) {
            Matcher matcher = pattern.matcher(text);
            if (matcher.find()) {
                return OptionalInt.of(Integer.parseInt(matcher.group(1)));
            }
        }
        return OptionalInt.empty();
    }
}
