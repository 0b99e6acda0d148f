package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Fuzz;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorClassifierTest {
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final ZoneId UTC = ZoneId.of("UTC");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "usage-window; You've hit your session limit · resets 3pm (Europe/Berlin)",
                "usage-window; You've hit your weekly limit · resets Nov 24, 9am (UTC)",
                "usage-window; You've hit your usage limit. Try again at 3:45 PM.",
                "usage-window; Claude AI usage limit reached|1795000000",
                "usage-window; You've hit your Opus limit · resets 3pm",
                "usage-window; You've hit your limit · resets Nov 24, 9am",
                "usage-window; You have exhausted your daily quota on this model.",
                "rate-limit; HTTP 429 Too Many Requests",
                "rate-limit; rate limit exceeded, reset in 45s",
                "rate-limit; Rate limit reached for gpt-5 on tokens per min. Please try again in 1.2s.",
                "rate-limit; Rate limit reached on tokens per min (TPM): Limit 30000, Used 29990, Requested 20.",
                "rate-limit; Rate limit reached in organization org-x on requests per day (RPD): Limit 200, Used 200.",
                "rate-limit; got status: RESOURCE_EXHAUSTED",
                "rate-limit; RESOURCE_EXHAUSTED: You exceeded your current quota, check your plan and billing details",
                "rate-limit; You exceeded your current quota, please check your plan. Please retry in 34.07s",
                "rate-limit; This request would exceed your account's rate limit.",
                "rate-limit; 429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\"}}",
                "rate-limit; authentication failed: rate limit exceeded",
                "rate-limit; HTTP 401 Unauthorized: rate limit exceeded for this key",
                "overloaded; API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}",
                "overloaded; The model is currently overloaded. Please try again later.",
                "overloaded; API Error: Overloaded",
                "overloaded; HTTP 503: the model is overloaded",
                "server; HTTP/1.1 500 Internal Server Error",
                "server; request failed with status code 502",
                "server; 503 Service Unavailable",
                "server; 504 Gateway Timeout",
                "server; <html><head><title>502 Bad Gateway</title></head></html>",
                "server; <!DOCTYPE html><title>Just a moment...</title>",
                "server; <html><head><title>403 Forbidden</title></head><body>nginx</body></html>",
                "network; read ECONNRESET",
                "network; socket hang up",
                "network; getaddrinfo ENOTFOUND api.example.com",
                "network; TypeError: fetch failed",
                "network; connect ECONNREFUSED 127.0.0.1:443",
                "network; OAuth token refresh failed: read ECONNRESET",
                "network; HTTP 401 while the access token has expired: refresh: network error",
                "stream-cut; Unexpected end of JSON input",
                "stream-cut; stream idle timeout",
                "stream-cut; TypeError: terminated",
                "stream-cut; terminated",
                "stream-cut; other side closed",
                "stream-cut; stream disconnected before completion",
                "stream-cut; Reconnecting... 1/5",
                "auth; API Error: 401 {\"type\":\"error\"}",
                "auth; HTTP 403 Forbidden",
                "auth; Invalid API key · Fix external API key",
                "auth; API key not valid. Please pass a valid API key.",
                "auth; Not logged in · Please run /login",
                "billing; HTTP 402 Payment Required",
                "billing; 429 You exceeded your current quota, please check your plan and billing details.",
                "billing; insufficient_quota",
                "billing; Your credit balance is too low to access the API",
                "billing; HTTP 429: quota exceeded for this month",
                "entitlement; The model gpt-5 is not available for your plan",
                "entitlement; HTTP 403: model opus is not available on your current plan",
                "model-missing; model_not_found",
                "model-missing; There's an issue with the selected model (x). It may not exist or you may not have access",
                "model-missing; API Error: 404 not_found_error model: claude-none",
                "context-overflow; context_length_exceeded",
                "context-overflow; prompt is too long: 213462 tokens > 200000",
                "context-overflow; API Error: 400 invalid_request_error: prompt is too long: 213462 tokens > 200000",
                "bad-request; invalid_request_error: messages: at least one message is required",
                "bad-request; HTTP 400 Bad Request",
                "infrastructure; write ENOSPC",
                "infrastructure; fork: ENOMEM",
                "infrastructure; EROFS: read-only file system",
                "infrastructure; EMFILE: too many open files",
                "infrastructure; EDQUOT",
                "infrastructure; write failed: Disk quota exceeded",
                "infrastructure; No space left on device",
                "unclassified; it did not work"
            })
    void classifiesTheTextsOfTheTable(String kind, String text) {
        assertThat(classify(text).kind().wire()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "took 14295ms",
                "took 429ms for 500 files",
                "14290 tests, 4290 passed",
                "version 4.429 of author tool",
                "the author of this module wrote an authoritative text",
                "authors: 401 of them",
                "see line 503 of Gateway.java",
                "wrote 500 lines; 502 were left",
                "Implemented rate limiting for the gateway",
                "Added a rate limit test with retry",
                "exceeded your character limit",
                "the process was terminated by its parent",
                "the method is overloaded",
                "commit 4290b1c and 529aa00",
                "exit status 1",
                "port 5003, pid 4014",
                "step 401.5 done",
                "renamed networkError to transportProblem"
            })
    void ignoresSimilarNumbersAndWords(String text) {
        assertThat(classify(text).kind()).isEqualTo(ErrorKind.UNCLASSIFIED);
    }

    @ParameterizedTest
    @CsvSource({
        "400, bad-request", "401, auth", "402, billing", "403, auth", "404, model-missing", "413, context-overflow",
        "418, bad-request", "422, bad-request", "429, rate-limit", "500, server", "502, server", "503, server",
        "504, server", "520, server", "529, overloaded"
    })
    void readsAStructuredStatus(int status, String kind) {
        assertThat(classify(status(status, "no words")).kind().wire()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "RESOURCE_EXHAUSTED, rate-limit", "rate_limit, rate-limit", "overloaded, overloaded",
        "authentication_failed, auth", "ProviderAuthError, auth", "ContextOverflowError, context-overflow",
        "insufficient_quota, billing", "model_not_found, model-missing", "invalid_request_error, bad-request",
        "MessageAbortedError, aborted", "UnknownError, unclassified", "APIError, unclassified"
    })
    void readsAStructuredCodeInAnySpelling(String code, String kind) {
        assertThat(classify(StructuredError.code(code, "")).kind().wire()).isEqualTo(kind);
    }

    @Test
    void believesTheStatusBeforeTheText() {
        StructuredError error = status(500, "invalid API key in the upstream's upstream");
        assertThat(classify(error).kind()).isEqualTo(ErrorKind.SERVER);
    }

    @Test
    void letsATextSharpenAStatus() {
        assertThat(classify(status(400, "API key not valid")).kind()).isEqualTo(ErrorKind.AUTH);
        assertThat(classify(status(429, "insufficient_quota")).kind()).isEqualTo(ErrorKind.BILLING);
        assertThat(classify(status(403, "rate limit exceeded")).kind()).isEqualTo(ErrorKind.RATE_LIMIT);
    }

    @Test
    void trustsTheAgentsTransientFlagOnlyForUnknownErrors() {
        StructuredError odd = StructuredError.text("odd").withRetryable(Optional.of(true));
        assertThat(classify(odd).kind()).isEqualTo(ErrorKind.SERVER);
        assertThat(classify(odd.withHttpStatus(OptionalInt.of(401))).kind()).isEqualTo(ErrorKind.AUTH);
    }

    @Test
    void statesTheDelayInMilliseconds() {
        Classification found = classify("rate limit reached. Please try again in 1.2s");
        assertThat(found.error().retryAfterMs()).isEqualTo(OptionalLong.of(1200));
        assertThat(found.resumeAt()).contains(NOW.plusMillis(1200));
    }

    @Test
    void takesAResetFromAFieldBeforeOneFromTheText() {
        StructuredError error = status(429, "You've hit your session limit · resets 3pm (UTC)")
                .withResetsAt(Optional.of(NOW.plusSeconds(7)));
        assertThat(classify(error).resumeAt()).contains(NOW.plusSeconds(7));
    }

    @Test
    void statesNoDelayForWhatDoesNotPass() {
        assertThat(classify("HTTP 401, retry after 30 seconds").resumeAt()).isEmpty();
    }

    @Test
    void dropsAResetThatIsOver() {
        Classification found = classify("usage limit reached|1735689600");
        assertThat(found.kind()).isEqualTo(ErrorKind.USAGE_WINDOW);
        assertThat(found.error().retryAfterMs()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ErrorKind.class)
    void findsEveryKindByItsSpelling(ErrorKind kind) {
        assertThat(ErrorKind.of(kind.wire())).contains(kind);
        assertThat(kind.isTransient()).isEqualTo(!kind.defaultDelay().isZero());
    }

    @Test
    void readsLongTextsAtBothEnds() {
        String noise = "lorem ipsum ".repeat(400_000);
        assertThat(classify(noise + " HTTP 429").kind()).isEqualTo(ErrorKind.RATE_LIMIT);
        assertThat(classify("HTTP 429 " + noise).error().message()).hasSizeLessThanOrEqualTo(2000);
    }

    @Test
    void survivesRandomTextsMadeOfItsOwnWords() {
        String[] words = {
            "rate limit ",
            "exceeded ",
            "retry after ",
            "in ",
            "HTTP ",
            "429",
            " ",
            "resets ",
            "3pm ",
            "(Europe/",
            ")",
            "Nov ",
            "31, ",
            "|1735689600",
            "0".repeat(40),
            "<html",
            "model ",
            "\n",
            "\uD800",
            "aaaaaaaaaaaaaaaaaaaa",
            ":"
        };
        var random = new SplittableRandom(Fuzz.seed(42));
        for (int round = 0; round < Fuzz.rounds(700); round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(words[random.nextInt(words.length)]);
            }
            assertThat(classify(text.toString()).error().message()).isNotNull();
        }
    }

    private static Classification classify(String text) {
        return ErrorClassifier.classify(ErrorRules.builtIn(), StructuredError.text(text), NOW, UTC);
    }

    private static StructuredError status(int httpStatus, String message) {
        return StructuredError.text(message).withHttpStatus(OptionalInt.of(httpStatus));
    }

    private static Classification classify(StructuredError error) {
        return ErrorClassifier.classify(ErrorRules.builtIn(), error, NOW, UTC);
    }
}
