package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorWordsTest {
    @ParameterizedTest
    @CsvSource({
        "rate limit exceeded, Rate-limit exceeded",
        "rate limit exceeded, 'rate  limit\nexceeded'",
        "hit|reached your ... limit, You've hit your very own weekly limit",
        "credit balance is? low, credit balance low",
        "*Exception, botocore.errorfactory.ThrottlingException:",
        "context window of <n>, context window of 128000",
        "^ terminated $, TypeError: terminated",
        "^ terminated $, '{\"message\":\"terminated\"}'",
        "^ terminated $, Claude Code API Error: terminated",
        "out of credits & top up, Top up: you are out of credits",
        "get ... <n> & ! http request, GET x 404",
        "*余额不足*, 您的账户余额不足，请充值"
    })
    void isFound(String pattern, String text) {
        assertThat(isIn(pattern, text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "rate limit, rate_limit",
        "rate limit, rates limit",
        "rate limit, tests/rate-limit.js",
        "model not found, model was not found",
        "model ... found, model a b c d e f g h i found",
        "^ terminated $, terminated by its parent",
        "^ terminated $, the build was terminated",
        "get ... <n> & ! http request, HTTP Request: GET x 404"
    })
    void isNotFound(String pattern, String text) {
        assertThat(isIn(pattern, text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "*",
                "^ $",
                "<n>",
                "... limit",
                "limit ...",
                "a|",
                "rate (limit)",
                "!",
                "x & y",
                "w? x? y? z? limit"
            })
    void refusesWhatWouldFitEverythingOrNothing(String pattern) {
        assertThatThrownBy(() -> WordPattern.of(pattern)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Patterns go once over at most 8,192 characters; there is nothing that could be tried again and again. */
    @Test
    void aMegabyteOfHostileTextIsReadAtItsEndsOnly() {
        String hostile = "rate limit exceeded your \"model: \\\\\\n try again in retry after 1 ".repeat(16_000);
        assertThat(ErrorText.plain(hostile)).hasSizeLessThanOrEqualTo(ErrorText.LONGEST);
        assertThat(TextWords.of(ErrorText.plain(hostile)).count()).isLessThan(ErrorText.LONGEST / 2);
        assertThat(ErrorClassifier.classify(hostile, Instant.EPOCH, ZoneId.of("UTC"))
                        .kind())
                .isEqualTo(ErrorKind.RATE_LIMIT);
    }

    private static boolean isIn(String pattern, String text) {
        return WordPattern.of(pattern).isIn(TextWords.of(ErrorText.plain(text)), false);
    }
}
