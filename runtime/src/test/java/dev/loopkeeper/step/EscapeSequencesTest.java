package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EscapeSequencesTest {
    /** {@code ^} stands for the escape character. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "^[91m^[1mError: ^[0mUnexpected error | Error: Unexpected error",
                "^[38;5;196mred^[m | red",
                "^]0;a title\u0007text | text",
                "^]8;;https://x.org^\\link^]8;;^\\ | link",
                "\u009B31mred | red",
                "^P1$r0m^\\after | after",
                "^(Bplain^7 | plain",
                "a\u0008b\u0000c | abc",
                "cut ^[3 | cut",
                "cut ^ | cut",
                "untouched: [API Error: 529] | untouched: [API Error: 529]"
            })
    void leavesWhatAPersonReads(String printed, String read) {
        assertThat(EscapeSequences.removed(printed.replace('^', '\u001B')).strip())
                .isEqualTo(read);
    }

    @Test
    void aTitleThatNeverEndsReachesToTheEndOfItsLine() {
        assertThat(EscapeSequences.removed("\u001B]0;title\nError: 529")).isEqualTo("\nError: 529");
    }

    @Test
    void aLineThatIsOverwrittenIsALineOfItsOwn() {
        assertThat(EscapeSequences.removed("10%\r100%\r\ndone")).isEqualTo("10%\n100%\ndone");
    }
}
