package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailTest {
    private static final int CAPACITY = 1000;
    private static final int MANY = 100;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 255, 256, 257, 999, 1000, 1001, 1999, 2000, 2001, 5000})
    void keepsAtLeastItsCapacityOfWhatCameInPiecesOfAnySize(int most) {
        Random random = new Random(most);
        Tail tail = new Tail(CAPACITY);
        StringBuilder all = new StringBuilder();
        for (int piece = 0; piece < 60; piece++) {
            byte[] letters = letters(random, random.nextInt(most + 1));
            int from = random.nextInt(letters.length + 1);
            tail.append(letters, from, letters.length - from);
            all.append(new String(letters, from, letters.length - from, StandardCharsets.US_ASCII));

            String kept = tail.text();
            assertThat(all.toString()).endsWith(kept);
            assertThat(kept.length()).isBetween(Math.min(all.length(), CAPACITY), 2 * CAPACITY);
        }
    }

    @Test
    void aTailOfNothingKeepsNothing() {
        Tail tail = new Tail(0);
        tail.line(letters(new Random(1), 10), 0, 10);
        assertThat(tail.text()).isEmpty();
    }

    /** Hundreds of steps live at once, and most of them say nothing for long. */
    @ParameterizedTest
    @ValueSource(strings = {"TEXT", "CLAUDE_CODE"})
    void aReaderOfWhatSaysNothingTakesLittle(OutputDialect dialect) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        readers(dialect);
        long before = threads.getCurrentThreadAllocatedBytes();
        readers(dialect);
        assertThat((threads.getCurrentThreadAllocatedBytes() - before) / MANY).isLessThan(16 * 1024);
    }

    private static void readers(OutputDialect dialect) {
        IntStream.range(0, MANY)
                .forEach(reader ->
                        AgentOutput.reader(dialect, ErrorRules.builtIn()).stdout(new byte[] {'a', '\n'}, 0, 2));
    }

    private static byte[] letters(Random random, int count) {
        byte[] letters = new byte[count];
        for (int i = 0; i < count; i++) {
            letters[i] = (byte) ('a' + random.nextInt(26));
        }
        return letters;
    }
}
