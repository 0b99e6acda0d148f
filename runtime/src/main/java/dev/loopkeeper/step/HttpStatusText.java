package dev.loopkeeper.step;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds an HTTP error status in a text: a whole number where programs put one, never a part of another and never a count.
 * Every repetition is bounded or possessive.
 */
final class HttpStatusText {
    private static final String NUMBER =
            "([45]\\d\\d)(?![\\w%]|[.,:]\\d|[ -]?(?:ms|s|sec|seconds?|minutes?|lines?|bytes?|chars?"
                    + "|characters?|tokens?|times|tests?|files?|rows?|records?|items?|results?|entries|objects|packages|modules|commits|warnings|problems|of|passed|failed)\\b)";
    private static final List<Pattern> PLACES = List.of(
            // HTTP 503, HTTP/1.1 500, status code: 429, "statusCode":429, Error code: 400, API Error: 401
            pattern("(?<![a-z])(?:https?(?:/[\\d.]{1,3})?(?:[ _-]?(?:status|error|code|response)){0,2}"
                    + "|status(?:[ _-]?code)?|(?:response|error|api|http)[ _-]?(?:code|error)|error reference number)"
                    + "(?: (?:of|was|is|from))?[\"')]{0,2}\\s{0,2}[:=]?\\s{0,2}[\"'(\\[]{0,2}" + NUMBER),
            // {"code": 429, and 'code': 429,
            pattern("[\"']code[\"']\\s{0,2}:\\s{0,2}[\"']?" + NUMBER),
            // 502 Bad Gateway
            pattern(
                    "(?<![\\w.,/])([45]\\d\\d)[ :-]{1,3}(?:bad request|unauthorized|payment required|forbidden|not found"
                            + "|request time-?out|conflict|(?:payload|content|request entity) too large|unprocessable"
                            + "|too many requests|internal server error|server error|bad gateway|service (?:temporarily )?unavailable"
                            + "|gateway time-?out|(?:client|server) error|overloaded|status code)\\b"),
            // Error: 503 auth_unavailable, Server error: 500, Request failed: 403, [ERROR] [400], failed (401)
            pattern(
                    "(?<![a-z_])(?:err|error|exception|gateway|(?:request|call|stream|fetch|query|login|refresh|exchange"
                            + "|authentication|completion|generation|inference|connection|upload) failed"
                            + "|failed with|returned|responded with|received|got)(?: (?:an?|http|code|status))?\\s?[:\\])-]{0,2}\\s?[(\\[\"']?"
                            + NUMBER + "(?=[)\\]\"':,.;—-]|\\s?$|\\s[\"'\\[{(<—a-z_-])"),
            pattern("\\bindicate success: " + NUMBER),
            pattern("[(\\[](?:code|status)[ :=]{1,2}" + NUMBER + "[)\\]]"),
            pattern("[\\])] \\[" + NUMBER + "\\]: "),
            pattern("\\bunexpected (?:server )?response:? " + NUMBER),
            pattern("[a-z][!.:]? \\((429|529)\\)"),
            pattern("[a-z][!.]? \\((40[123]|50[0234])\\)[.!]?$"),
            pattern("(?<![\\w.,/-])(429|529|50[0234]) from (?!\\d)"),
            pattern("\\b(?:failed|rejected|refused|denied) (?:: )?[(\\[]" + NUMBER + "[)\\]]"),
            // 429 {"type", 403 "Your team, [400]: at the start of a line; "429 |   code" is a compiler's
            pattern("^[^\\w\\n]{0,8}" + NUMBER + "[\\])]?(?::|\\s?[—·-]|\\s?\\|(?! {2})|\\s[\\[{\"'<(])"),
            // 402 You have no quota, 400 max_tokens must be, [api_error] 403 Not here: where no item of a list begins
            pattern("(?:^(?:[^\\w\\n*-]{1,4})?|error\\] )" + NUMBER
                    + " (?:(?-i:[A-Z])[a-z']{0,30} [a-z]|[a-z]{1,30}_[a-z]|\\p{IsHan})"));

    private HttpStatusText() {}

    static OptionalInt find(String text) {
        for (Pattern place : PLACES) {
            Matcher matcher = place.matcher(text);
            if (matcher.find()) {
                return OptionalInt.of(Integer.parseInt(matcher.group(1)));
            }
        }
        return OptionalInt.empty();
    }

    private static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
    }
}
