package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter = new LineSplitter(
            10, (bytes, offset, length) -> lines.add(new String(bytes, offset, length, StandardCharsets.UTF_8)));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void cutsTheSameLinesFromAnyPieces(int size) {
        feed("one\r\n\n\r\ntwo\n0123456789\n0123456789A\nx\ry\n0123456789ABCDEFGHIJKLMNOP\nlast", size);
        splitter.finish();
        assertThat(lines).containsExactly("one", "two", "0123456789", "x\ry", "last");
    }

    @Test
    void keepsAnUnfinishedLineForTheEnd() {
        feed("a\nb", 100);
        assertThat(lines).containsExactly("a");
        splitter.finish();
        assertThat(lines).containsExactly("a", "b");
    }

    @Test
    void leavesOutAnUnfinishedLineThatIsTooLong() {
        feed("a\n0123456789AB", 4);
        splitter.finish();
        splitter.finish();
        assertThat(lines).containsExactly("a");
    }

    private void feed(String text, int size) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += size) {
            splitter.feed(bytes, at, Math.min(size, bytes.length - at));
        }
    }
}
