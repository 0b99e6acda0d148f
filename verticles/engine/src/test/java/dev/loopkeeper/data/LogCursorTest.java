package dev.loopkeeper.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.DroppedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCursorTest {
    @TempDir
    Path folder;

    private LogFile log;
    private LogCursor cursor;

    @BeforeEach
    void open() {
        log = new LogFile(folder, "stdout");
        cursor = new LogCursor(log);
    }

    private String read() throws IOException {
        StringBuilder text = new StringBuilder();
        cursor.read((bytes, offset, length) -> text.append(new String(bytes, offset, length, UTF_8)));
        return text.toString();
    }

    private void append(String text) throws IOException {
        Files.writeString(folder.resolve("stdout.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void truncate(String text) throws IOException {
        Files.writeString(folder.resolve("stdout.log"), text);
    }

    @Test
    void readsWhatIsNew() throws IOException {
        assertThat(read()).isEmpty();
        append("one\n");
        assertThat(read()).isEqualTo("one\n");
        assertThat(read()).isEmpty();
        append("two\n");
        assertThat(read()).isEqualTo("two\n");
        assertThat(cursor.isTruncated()).isFalse();
    }

    @Test
    void aShorterFileIsReadFromItsStart() throws IOException {
        append("a long line that is lost\nhalf");
        assertThat(read()).endsWith("half");
        truncate("hook\n");

        assertThat(read()).isEqualTo("\nhook\n");
        assertThat(cursor.isTruncated()).isTrue();
        append("after\n");
        assertThat(read()).isEqualTo("after\n");
    }

    @Test
    void aTruncatedFileThatGrewAgainIsReadFromItsStart() throws IOException {
        append("one\n");
        assertThat(read()).isEqualTo("one\n");
        truncate("hook\n{\"type\":\"result\"}\n");

        assertThat(read()).isEqualTo("\nhook\n{\"type\":\"result\"}\n");
        assertThat(cursor.isTruncated()).isTrue();
    }

    @Test
    void whatTheLimitOfLogsDropsIsNoTruncation() throws IOException {
        append("x".repeat(200) + "\n");
        assertThat(read()).hasSize(201);
        Files.writeString(folder.resolve("stdout.dropped.json"), "{\"from\":100,\"to\":190}");
        append("more\n");

        assertThat(read()).isEqualTo("more\n");
        assertThat(cursor.isTruncated()).isFalse();
    }

    @Test
    void whatWasDroppedOfATruncatedFileIsForgotten() throws IOException {
        append("x".repeat(200));
        Files.writeString(folder.resolve("stdout.dropped.json"), "{\"from\":0,\"to\":190}");
        truncate("new\n");

        assertThat(log.dropped()).isEqualTo(DroppedBytes.NONE);
        assertThat(read()).isEqualTo("new\n");
    }
}
