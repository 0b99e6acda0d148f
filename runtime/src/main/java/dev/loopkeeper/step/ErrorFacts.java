package dev.loopkeeper.step;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;

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

    /** What a server sends with a status: its reason, a code, or the body of an error. */
    private static final String ANSWER =
            "(?:(?i:bad request|unauthorized|payment required|forbidden|not found|request time-?out"
                    + "|conflict|(?:payload|content|request entity) too large|unprocessable|too many requests"
                    + "|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out"
                    + "|a timeout occurred|status code \\(no body\\))(?:$|[^\\w\\s]| [^a-z\\s]| nginx)"
                    + "|(?:RESOURCE_EXHAUSTED|NOT_FOUND|PERMISSION_DENIED|INVALID_ARGUMENT|FAILED_PRECONDITION|DEADLINE_EXCEEDED"
                    + "|UNAVAILABLE|UNAUTHENTICATED|INTERNAL)\\b|[a-z]+_[a-z_]+:|\\[?\\{\\s*[\"']|<(?i:html|!doctype)|\\p{Han})";

    private static final String REASON = "bad request|unauthorized|payment required|forbidden|too many requests"
            + "|internal server error|bad gateway|service unavailable|gateway time-?out|overloaded"
            + "|(?:rate limit|quota) (?:exceeded|reached)";

    private static final String OWN_STATUS = "([45]\\d\\d)(?:$|[;:)]|[.,](?:$| )| (?:from|by|while)\\b)";

    private static final List<Pattern> STATUSES = List.of(
            // HTTP 503, HTTP/1.1 500, HTTP code: 429
            pattern("\\b(?:https?|HTTP)(?:/[\\d.]+)?(?:[ _](?i:status|error|code))?:? " + STATUS),
            pattern("\\bHTTP code ([45]\\d\\d) from\\b"),
            // unexpected status 502, last status: 429, status code: 404
            pattern("\\b(?i:status|status code|last status:|status code:|(?:^|[.,(] ?)status:) ?" + STATUS),
            // API Error: 401, API Error (429 {, Error code: 400, Server error: 500, Request Failed: 403
            pattern("\\b(?i:api error):? (?:\\([\\w.:-]{1,80}\\): )?\\(?([45]\\d\\d)\\b"),
            pattern(
                    "\\b(?i:http error|server error:|error (?:code|reference number)|server response|(?:request|exchange) failed)"
                            + ":? \\(?" + STATUS),
            // "code": 429, 'statusCode': 429, {"error": ..., "status": 429
            pattern("[\"'](?:code|statusCode|status_code|http_code)[\"']\\s*:\\s*[\"']?([45]\\d\\d)\\b"),
            pattern("(?i:error|title).*[\"']status[\"']\\s*:\\s*([45]\\d\\d)\\b"),
            // 429 Too Many Requests, Error: 500 {"type", 503 auth_unavailable: at the start of a line
            pattern(
                    "^[\\s\\[(⎿●✕✗×❌⚠?]{0,8}(?:[A-Za-z.]{0,40}[Ee]rror:? )?\\[?([45]\\d\\d)[\\])]?[:,]?\\s(?:[45]\\d\\d )?(?:-\\s)?"
                            + ANSWER),
            // RateLimitError: 429 rate limited
            pattern("^(?:API|RateLimit|Authentication|PermissionDenied|BadRequest|InternalServer)Error: ([45]\\d\\d) "),
            pattern("\\] \\[([45]\\d\\d)\\]: "),
            // Request rejected (429) ·
            pattern("\\b(?i:rejected|failed|refused) \\(([45]\\d\\d)\\)"),
            // stream error: 503 Service Unavailable
            pattern("[:|] ?(429|5\\d\\d):? (?i:too many requests|internal server error|bad gateway|service unavailable"
                    + "|gateway time-?out)(?:$|[.,:;)(]| [^a-z\\s])"),
            // error 500, status=429, got HTTP 429 from the provider: a short line of words
            pattern("^(?:[\\w-]+:? ){0,4}(?i:status|error|http|code)(?: code)?[ :=]{1,3}" + OWN_STATUS),
            // 401 error, server returned 429 too many requests from
            pattern("^(?:[\\w-]+:? ){0,4}([45]\\d\\d):? (?i:status|error|" + REASON
                    + ")(?:$|[^\\w\\s]| (?:from|by|while)\\b)"),
            // Overloaded (529). Please retry, Service Unavailable 503
            pattern("^(?:[\\w-]+: ){0,2}(?i:" + REASON + ")[ :]{1,2}\\(?([45]\\d\\d)(?:$|[).,:;])"));

    /** The right context of a code outside a sentence; one word after a colon is a setting's value. */
    private static final String CODE_END = "(?:$|: [A-Za-z]\\S* \\S|[;)\\]\"']|, |\\. | - )";

    private static final List<Pattern> CODES = List.of(
            // "type": "rate_limit_error", 'code': 'EMFILE', status: "UNAVAILABLE"
            pattern("\\b(?:code|type|status|reason|name|errorType|error_code|__type|error)[\"']?\\s*[:=]\\s*[\"']"
                    + "([A-Za-z][\\w.-]{2,60})[\"']"),
            // httpx.RemoteProtocolError: peer closed, aborted: AbortError: The user aborted
            pattern(
                    "(?:^\\s*|[:|] |[Ee]rror )(?:\\w+(?:\\.|::))*([A-Z][A-Za-z]*(?:Error|Exception)|IncompleteRead|KeyboardInterrupt):"),
            pattern("^(?:\\w+\\.)*([A-Z][A-Za-z]*(?:Error|Exception|Timeout))$"),
            // error: rate_limit_error, Error: EMFILE, open
            pattern("(?:^|: |= ?|> ?|\\| )((?:[A-Za-z]+_)+[A-Za-z]+|E[A-Z]{4,}|EPIPE)" + CODE_END),
            // Connection refused (ECONNREFUSED), Unable to connect (ConnectionRefused)
            pattern(" \\((E[A-Z_]{3,}|Connection[A-Z][a-z]+|FailedToOpenSocket)\\)"),
            // connect ECONNREFUSED 127.0.0.1:443
            pattern(
                    "\\b(?:read|write|connect|open|fork|getaddrinfo|queryA+|socket|bind|listen|spawn) (E[A-Z_]{3,})\\b"),
            // ECONNRESET during OAuth token refresh, failed with EMFILE; not: what to do on ECONNRESET and EPIPE
            pattern("(?:^|[A-Za-z]: ?|[=(\\[] ?|(?i:ed|with|got|an?|the|error|code|reason|after|to|of|is|was|by) )"
                    + "(E[A-Z]{4,}|EPIPE|EAI_AGAIN)(?:$|[^\\w'\"/.-]|\\.(?:$| ))"));

    /** Exceptions of providers' own packages, and of AWS in brackets; each is named after the code of the answer. */
    private static final List<Pattern> ANSWERED = List.of(
            pattern(
                    "\\b(?:anthropic|openai|litellm|groq|mistralai|botocore|google)(?:\\.\\w+)*\\.([A-Z][A-Za-z]*)\\b(?::|$)"),
            pattern("\\b[Aa]n error occurred \\((\\w{4,60})\\)"));

    /** A name that languages and libraries also use, so that it is no provider's code in another spelling. */
    private static final Pattern EXCEPTION = pattern("^[A-Z][A-Za-z]*(?:Error|Exception|Timeout)$");

    /** A line of a comparison of texts, of a test or of a list of changes shows what is expected. */
    private static final Pattern COMPARED =
            pattern("^(?:\\s*(?:[-+]\\s|(?:fix|feat|chore|docs|test|refactor|perf|ci)(?:\\([^)\\n]*\\))?!?: |should ).*"
                    + "|.*\\b(?i:expect(?:ed|s)?):? (?i:http|status|response|code|\\d).*\\b(?:got|but|received|to)\\b.*"
                    + "|.*\\b(?:Assertion(?:Failed)?Error|assert |assertion ').*)$");

    private ErrorFacts() {}

    /** The text without what a test or a comparison of texts shows. */
    static String uncompared(String text) {
        return COMPARED.matcher(text).replaceAll("");
    }

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

    /**
     * The field's code and the codes in the text, spelled as by {@link ErrorRule#spelling}. Exceptions in a text keep
     * their names, except those of providers' own packages.
     */
    static Set<String> codes(Optional<String> field, String text) {
        Set<String> codes = new HashSet<>();
        field.map(ErrorRule::spelling).ifPresent(codes::add);
        ANSWERED.forEach(pattern -> add(pattern, text, ErrorRule::spelling, codes));
        CODES.forEach(pattern ->
                add(pattern, text, code -> EXCEPTION.matches(code) ? code : ErrorRule.spelling(code), codes));
        return codes;
    }

    private static void add(Pattern pattern, String text, UnaryOperator<String> spelling, Set<String> codes) {
        Matcher found = pattern.matcher(text);
        for (int from = 0; codes.size() < MOST_CODES && found.find(from); from = found.end(1)) {
            codes.add(spelling.apply(found.group(1)));
        }
    }

    private static Pattern pattern(String expression) {
        return Pattern.compile(expression, Pattern.MULTILINE);
    }
}
