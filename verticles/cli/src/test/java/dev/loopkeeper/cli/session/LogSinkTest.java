package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.print.FactStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LogSinkTest {
    private static final String CODEX = """
            {"type":"thread.started","thread_id":"t"}
            {"type":"item.started","item":{"type":"command_execution","command":"make test"}}
            {"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
            """;

    private static String printed(boolean raw, String dialect, String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogSink sink = new LogSink(new PrintStream(out, true, StandardCharsets.UTF_8), raw, "");
        sink.reads(dialect);
        for (byte letter : text.getBytes(StandardCharsets.UTF_8)) {
            sink.accept(new byte[] {letter});
        }
        sink.end();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void anAgentsOutputIsPrintedAsWhatItSays() {
        assertThat(printed(false, "codex", CODEX)).isEqualTo("> shell: make test\nDone.\n");
    }

    @Test
    void eachLineBeginsWithItsTime() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogSink sink = new LogSink(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                false,
                "",
                time -> time.map(Object::toString).orElse("-") + " ");
        sink.reads("opencode");
        sink.accept("""
                {"type":"text","timestamp":1764000000000,"part":{"type":"text","text":"Working."}}
                no record
                """.getBytes(StandardCharsets.UTF_8));
        sink.end();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("2025-11-24T16:00:00Z Working.\n- ");
    }

    @Test
    void rawBytesStayAsTheyAre() {
        assertThat(printed(true, "codex", CODEX)).isEqualTo(CODEX);
    }

    @Test
    void plainTextAndUnknownDialectsArePrintedLineByLine() {
        assertThat(printed(false, "text", "one\n\n  two")).isEqualTo("one\n\n  two\n");
        assertThat(printed(false, "telepathy", CODEX)).isEqualTo(CODEX);
    }

    /** A write for each line made a log of 100 MB take a minute. */
    @Test
    void linesThatArriveTogetherAreWrittenAtOnce() {
        AtomicInteger writes = new AtomicInteger();
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int count) {
                writes.incrementAndGet();
                super.write(bytes, from, count);
            }
        };
        LogSink sink = new LogSink(new FactStream(out, true), false, "");
        String lines = "a line\n".repeat(5_000);

        sink.accept(lines.getBytes(StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(lines);
        assertThat(writes).hasValue(1);
    }

    @Test
    void aLineWithoutEndIsPrintedInPartsOfCompleteLetters() {
        String line = "x" + "ä".repeat(100_000);

        assertThat(printed(false, "text", line + "\nnext\n")).isEqualTo(line + "\nnext\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogSink sink = new LogSink(new PrintStream(out, true, StandardCharsets.UTF_8), false, "> ");
        sink.accept((line + "\nnext").getBytes(StandardCharsets.UTF_8));
        assertThat(out.size()).isGreaterThan(200_000);
        sink.end();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("> " + line + "\n> next\n");
    }
}
