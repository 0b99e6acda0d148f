package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
}
