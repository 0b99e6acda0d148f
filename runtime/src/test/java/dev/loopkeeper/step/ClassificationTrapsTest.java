package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Last words of failed scripts and agents that an eager reader would take for something else. */
class ClassificationTrapsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "unclassified; took 14295ms",
                "unclassified; src/author.ts:401:17 - error TS2339",
                "unclassified; tests/test_rate_limit.py::test_limits FAILED",
                "unclassified; FAIL test/http-500-page.spec.js",
                "unclassified; AssertionError: expected 401 to equal 200",
                "unclassified; AssertionError: expected status 200 but was 404 lines long",
                "unclassified; Ran 429 tests in 5.003s",
                "unclassified; 529 passing (4s), 1 failing",
                "unclassified; error: unused variable `network_error_count`",
                "unclassified; error[E0425]: cannot find value `rate_limit` in this scope",
                "unclassified; rate_limiter_test.go:52: unexpected value",
                "unclassified; 3 authors, 2 authorities, 1 authorisation",
                "unclassified; model.py:404: DeprecationWarning",
                "unclassified; the build was terminated early",
                "unclassified; wait 5 minutes for the deployment",
                "unclassified; INFO  402 files changed",
                "unclassified; GET /orders/500 did not match",
                "unclassified; id 4f429a and 503b",
                "unclassified; HTTP 200 OK",
                "unclassified; listening on http://localhost:5000",
                "unclassified; curl http://127.0.0.1:4290/x",
                "unclassified; http 2.500 seconds",
                "unclassified; connected to 10.0.0.401x",
                "unclassified; user credentials table has 503 rows",
                "unclassified; quota: 12 of 500 used",
                "unclassified; something went wrong",
                "unclassified; Error: something went wrong, please try again later",
                "unclassified; fix: 429 Too Many Requests is retried (#12)",
                "unclassified; HTTP 404 is what the handler answers",
                "unclassified; {\"level\":\"info\",\"status\":503}",
                "unclassified; retry on rate_limit_error and ECONNRESET",
                "unclassified; throw new RateLimitError(429)",
                "network; failed to refresh the OAuth token: connect ETIMEDOUT 10.0.0.1:443",
                "network; authentication failed: getaddrinfo EAI_AGAIN auth.example.com",
                "server; token refresh: 503 Service Unavailable",
                "rate-limit; 403 Forbidden: API rate limit exceeded for user ID 401"
            })
    void classifiesEachText(String kind, String text) {
        assertThat(ErrorClassifier.classify(ErrorRules.builtIn(), StructuredError.text(text), NOW, ZoneId.of("UTC"))
                        .kind()
                        .wire())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "20; Overloaded (529). Please retry in 20ms",
                "3000; rate limit exceeded (429). Please retry in 3s",
                "7200000; Sorry, you've hit a rate limit that restricts the number of requests. Please try again in 2 hours.",
                "180000; Sorry, your request was rate-limited. Please wait 3 minutes before trying again.",
                "55380000; Sorry, your request was\\nrate-limited. Please wait 15 hours\\n23 minutes before trying again."
            })
    void generalRowsKeepTheStatedDelay(long millis, String text) {
        assertThat(ErrorClassifier.classify(ErrorRules.builtIn(), StructuredError.text(text), NOW, ZoneId.of("UTC"))
                        .error()
                        .retryAfterMs())
                .hasValue(millis);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                // Clocks go back on 25 October 2026 and forward on 28 March 2027 in Berlin.
                "2026-10-24T20:00:00Z; resets 3pm (Europe/Berlin); 2026-10-25T14:00:00Z",
                "2026-10-24T10:00:00Z; resets 3pm (Europe/Berlin); 2026-10-24T13:00:00Z",
                "2027-03-27T20:00:00Z; resets 3pm (Europe/Berlin); 2027-03-28T13:00:00Z",
                "2026-10-25T00:15:00Z; resets 2:30am (Europe/Berlin); 2026-10-25T00:30:00Z",
                "2026-10-25T00:45:00Z; resets 2:30am (Europe/Berlin); 2026-10-25T01:30:00Z",
                "2027-03-28T00:15:00Z; resets 2:30am (Europe/Berlin); 2027-03-28T01:30:00Z",
                "2026-12-31T23:30:00Z; resets Jan 1, 9am (UTC); 2027-01-01T09:00:00Z",
                "2026-11-20T10:00:00Z; resets 12am (UTC); 2026-11-21T00:00:00Z",
                "2026-11-20T10:00:00Z; resets 12pm (UTC); 2026-11-20T12:00:00Z",
                "2026-11-20T10:00:00Z; reset in 45s; 2026-11-20T10:00:45Z",
                "2026-11-20T10:00:00Z; Please try again in 1.2s; 2026-11-20T10:00:01.200Z",
                "2026-11-20T10:00:00Z; |1795600000; 2026-11-25T09:46:40Z"
            })
    void resetTimesAreReadToTheSecond(Instant now, String reset, Instant back) {
        String text =
                "You've hit your session limit · usage limit reached" + (reset.startsWith("|") ? "" : " · ") + reset;
        assertThat(ErrorClassifier.classify(ErrorRules.builtIn(), StructuredError.text(text), now, ZoneId.of("UTC"))
                        .resumeAt())
                .contains(back);
    }
}
