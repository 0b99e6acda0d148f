package dev.loopkeeper.step;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Finds HTTP statuses and error codes in a text. Ignores parts of longer numbers and words, and mentions within a
 * sentence.
 */
final class ErrorFacts {
    private static final int MOST_CODES = 40;

    /**
     * A status with its right context: the end, punctuation or a capitalised word; in a sentence, a lower-case word
     * follows.
     */
    private static final String STATUS =
            "([45]\\d\\d)(?:$|[:;\\]}\"'(]|\\)[:.]|\\.$|[.)]? (?:[A-Z0-9{\\[\"'<(·—\\p{Han}-]|[a-z]+_))";

    private static final List<Pattern> STATUSES = List.of(
            // HTTP 503, HTTP/1.1 500, HTTP code: 429
            pattern("\\b(?:https?|HTTP)(?:/[\\d.]+)?(?:[ _](?i:status|error|code))?:? " + STATUS),
            pattern("\\bHTTP code ([45]\\d\\d) from\\b"),
            // unexpected status 502, last status: 429, status code: 404
            pattern("\\b(?i:status|status code|last status:|status code:|(?:^|[.,(] ?)status:) ?" + STATUS),
            // API Error: 401, API Error (429 {, Error code: 400, Server error: 500, Request Failed: 403
            pattern("\\b(?i:api error):? \\(?([45]\\d\\d)\\b"),
            pattern(
                    "\\b(?i:http error|server error:|error (?:code|reference number)|server response|(?:request|exchange) failed)"
                            + ":? \\(?" + STATUS),
            // "code": 429, 'statusCode': 429, {"error": ..., "status": 429
            pattern("[\"'](?:code|statusCode|status_code|http_code)[\"']\\s*:\\s*[\"']?([45]\\d\\d)\\b"),
            pattern("(?i:error|title).*[\"']status[\"']\\s*:\\s*([45]\\d\\d)\\b"),
            // 429 {"type", 403 "Your, Error: 500 {, [400]: at the start of a line
            pattern("^[\\s\\[(⎿●✕✗×❌⚠?]{0,8}(?:[A-Za-z.]{0,40}[Ee]rror:? )?\\[?" + STATUS),
            pattern("\\] \\[([45]\\d\\d)\\]: "),
            // Request rejected (429) ·
            pattern("\\b(?i:rejected|failed|refused) \\(([45]\\d\\d)\\)"),
            // stream error: 503 Service Unavailable
            pattern("[:|] ?(429|5\\d\\d):? (?i:too many requests|internal server error|bad gateway|service unavailable"
                    + "|gateway time-?out)(?:$|[.,:;)(]| [^a-z\\s])"));

    /** The right context of a code outside a sentence. */
    private static final String CODE_END = "(?:$|[:;)\\]\"']|, |\\. | - )";

    private static final List<Pattern> CODES = List.of(
            // "type": "rate_limit_error", 'code': 'EMFILE', status: "UNAVAILABLE"
            pattern("\\b(?:code|type|status|reason|name|errorType|error_code|__type|error)[\"']?\\s*[:=]\\s*[\"']"
                    + "([A-Za-z][\\w.-]{2,60})[\"']"),
            // botocore.errorfactory.ThrottlingException: An error, litellm.RateLimitError: AnthropicException
            pattern(
                    "(?:^|: |\\s)(?:\\w+(?:\\.|::))*([A-Z][A-Za-z]*(?:Error|Exception)|IncompleteRead|KeyboardInterrupt):"),
            pattern("^(?:\\w+\\.)*([A-Z][A-Za-z]*(?:Error|Exception|Timeout))$"),
            // error: rate_limit_error, Error: EMFILE, open
            pattern("(?:^|: |= ?|> ?|\\| )((?:[A-Za-z]+_)+[A-Za-z]+|E[A-Z]{4,}|EPIPE)" + CODE_END),
            // An error occurred (ThrottlingException) when calling
            pattern(" \\(([A-Z]\\w{3,60})\\)"),
            // connect ECONNREFUSED 127.0.0.1:443
            pattern(
                    "\\b(?:read|write|connect|open|fork|getaddrinfo|queryA+|socket|bind|listen|spawn) (E[A-Z_]{3,})\\b"));

    private ErrorFacts() {}

    /** The first HTTP error status. */
    static OptionalInt status(String text) {
        for (Pattern pattern : STATUSES) {
            Matcher found = pattern.matcher(text);
            if (found.find()) {
                return OptionalInt.of(Integer.parseInt(found.group(1)));
            }
        }
        return OptionalInt.empty();
    }

    /** The field's code and the codes in the text, spelled as by {@link ErrorRule#spelling}. */
    static Set<String> codes(Optional<String> field, String text) {
        Set<String> codes = new HashSet<>();
        field.map(ErrorRule::spelling).ifPresent(codes::add);
        for (Pattern pattern : CODES) {
            Matcher found = pattern.matcher(text);
            for (int from = 0; codes.size() < MOST_CODES && found.find(from); from = found.end(1)) {
                codes.add(ErrorRule.spelling(found.group(1)));
            }
        }
        return codes;
    }

    private static Pattern pattern(String expression) {
        return Pattern.compile(expression, Pattern.MULTILINE);
    }
}
