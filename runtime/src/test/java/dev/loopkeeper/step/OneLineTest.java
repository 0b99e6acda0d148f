package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {
    @Test
    void breaksAndEscapesAreGone() {
        assertThat(OneLine.of(" a\r\n\tb\u001b[31m c\u202e\0d ")).isEqualTo("a b c d");
    }

    @Test
    void whatIsCutEndsInDotsAndNotWithinALetter() {
        assertThat(OneLine.of("😀".repeat(10), 6)).isEqualTo("😀😀…");
        assertThat(OneLine.of("abcdef", 6)).isEqualTo("abcdef");
        assertThat(OneLine.of("abcdefg", 6)).isEqualTo("abcde…");
    }

    @Test
    void ofManyLinesTheLastOnesStay() {
        assertThat(OneLine.end("first\nsecond\nthird", 13)).isEqualTo("second third");
        assertThat(OneLine.end("first\n" + "x".repeat(50), 10)).isEqualTo("x".repeat(9) + "…");
        assertThat(OneLine.end("", 10)).isEmpty();
    }

    /** A person reads why a check failed, and not which tests passed before. */
    @Test
    void ofATestRunTheLinesFromTheFirstFailureStay() {
        String passes = "PASS test_1\nPASS test_2\n";

        assertThat(OneLine.end(passes + "FAIL test_header: 4 columns\n1 of 3 failed", 160))
                .isEqualTo("FAIL test_header: 4 columns 1 of 3 failed");
        assertThat(OneLine.end(passes + "not ok 3 - header\nran 3", 160)).isEqualTo("not ok 3 - header ran 3");
    }

    /** The last line of make names only the target; the first failure names the cause. */
    /** The stack trace of a handler's exception has its text at both ends. */
    @Test
    void saysTheSameFailureOnce() {
        assertThat(OneLine.end("java.io.IOException: gone\n\tat a.B.c(B.java:1)\njava.io.IOException: gone", 160))
                .isEqualTo("java.io.IOException: gone");
    }

    @Test
    void keepsTheFirstFailureAndTheLastLineOfALongText() {
        String between = "at line 7\n".repeat(20);

        assertThat(OneLine.end("FAIL test_header\n" + between + "make: *** Error 1", 60))
                .isEqualTo("FAIL test_header … make: *** Error 1");
        assertThat(OneLine.end("FAIL " + "x".repeat(90) + "\n" + between + "y".repeat(90), 60))
                .isEqualTo("FAIL " + "x".repeat(22) + "… … " + "y".repeat(28) + "…");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PASS test_error",
                "--- PASS: TestError (0.00s)",
                "ok 2 - denies an error",
                "test parses_errors ... ok",
                "tests/test_a.py::test_error PASSED [ 50%]",
                "  ✓ handles errors",
                "0 failed, 3 passed",
                "Tests run: 3, Failures: 0, Errors: 0",
                "compiled, no errors"
            })
    void aLineThatReportsASuccessNamesNoFailure(String line) {
        assertThat(OneLine.failure(Stream.of(line, "1 failed, 0 errors"))).contains("1 failed, 0 errors");
    }

    /** Texts can be hidden in letters that show nothing; what joins letters stays. */
    @Test
    void whatShowsNothingIsLeftOut() {
        String hidden = "de\u00adlete\u200b all\u2060\ufeff" + new String(Character.toChars(0xE0041)) + " \u061cnow";
        assertThat(OneLine.of(hidden)).isEqualTo("delete all now");
        assertThat(OneLine.readable(hidden)).isEqualTo("delete all now");
        assertThat(OneLine.readable("one\u2028two")).isEqualTo("onetwo");
        assertThat(OneLine.of("\u0645\u06cc\u200c\u062e \ud83d\udc69\u200d\ud83d\udcbb"))
                .isEqualTo("\u0645\u06cc\u200c\u062e \ud83d\udc69\u200d\ud83d\udcbb");
    }

    @Test
    void aPrintedLineShowsWhatATerminalWouldLeave() {
        assertThat(OneLine.readable("  \u001b[1;32mok\u001b[0m\tdone\r")).isEqualTo("  ok\tdone");
        assertThat(OneLine.readable("10%\r50%\u001b[K\r100%")).isEqualTo("100%");
        assertThat(OneLine.readable("\u001b]0;title\rof two\u0007text")).isEqualTo("text");
        assertThat(OneLine.readable("\u001b]0;no end")).isEqualTo("]0;no end");
        assertThat(OneLine.readable("a\0\u009f\u202eb\u2066")).isEqualTo("ab");
    }
}
