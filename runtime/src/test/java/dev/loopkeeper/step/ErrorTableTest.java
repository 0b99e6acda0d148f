package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table that comes with Loopkeeper, and what bounds an expression of it and of a manifest. */
class ErrorTableTest {
    private static final int MOST_ROWS = 460;

    @Test
    void isShortAndEachRowHasItsSource() throws IOException {
        List<String[]> rows = ErrorCorpusTest.resource("error-rules.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\\s{2,}", -1))
                .toList();
        assertThat(rows).hasSizeLessThanOrEqualTo(MOST_ROWS).allSatisfy(row -> {
            assertThat(row).hasSize(4);
            assertThat(row[3]).isNotBlank();
        });
        assertThat(rows.stream().map(row -> row[1] + " " + row[2])).doesNotHaveDuplicates();
    }

    @Test
    void hasNoRowForAnEverydayLine() {
        var facts = new ErrorRule.Facts(
                ErrorFacts.status("Ran 12 tests: 11 passed, 1 failed"),
                ErrorFacts.codes(java.util.Optional.empty(), ""),
                "Ran 12 tests: 11 passed, 1 failed");
        assertThat(ErrorRules.builtIn().rows()).noneMatch(row -> row.fits().test(facts));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".*", "a?", "(", "[z-a]", "a**", "(?=a)", "\\1", "a{1001}", "((a{30}){30}){30}", "x{99999}"})
    void refusesAnExpressionThatIsBrokenOrTooLargeOrFitsEverything(String expression) {
        assertThatThrownBy(() -> ErrorExpression.of(expression)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesAnExpressionThatIsTooLong() {
        assertThatThrownBy(() -> ErrorExpression.of("x".repeat(ErrorExpression.LONGEST + 1)))
                .hasMessageContaining("at most " + ErrorExpression.LONGEST);
    }

    /** An engine that goes back and tries again would take years. */
    @ParameterizedTest
    @ValueSource(strings = {"(a*)*b", "(a|aa)+$x", "(.*)(.*)(.*)(.*)(.*)y", "(a?){60}a{9}c"})
    void anExpressionTakesTimeLinearInTheText(String expression) {
        String text = "a".repeat(ErrorText.LONGEST);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> assertThat(ErrorExpression.of(expression).matcher(text).find())
                        .isFalse());
    }

    @Test
    void aMegabyteOfHostileTextIsReadAtItsEndsOnly() {
        String hostile = "rate limit exceeded your \"model: \\\\\\n try again in retry after 1 ".repeat(16_000);
        assertThat(ErrorText.plain(hostile)).hasSizeLessThanOrEqualTo(ErrorText.LONGEST);
        assertThat(ErrorClassifier.classify(
                                ErrorRules.builtIn(),
                                StructuredError.text("API Error: 429 " + hostile),
                                Instant.EPOCH,
                                ZoneId.of("UTC"))
                        .kind())
                .isEqualTo(ErrorKind.RATE_LIMIT);
    }
}
