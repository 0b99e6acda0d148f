package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
